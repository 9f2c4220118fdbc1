import Cryptography
import Testing
import Tokens
import WireFormats

@Suite("XML encryption")
struct XMLEncryptionTests {
    private static let key = Result { try RSAPrivateKey.generate() }
    private static let otherKey = Result { try RSAPrivateKey.generate() }
    private static let element = XMLElement("s:secret", in: "urn:s", attributes: ["a": "b"], text: "é & <more>.")

    private static func holder(_ content: [XMLElement]) -> XMLElement {
        XMLElement("saml:EncryptedAssertion", in: SAML.assertion, content.map(XMLElement.Node.element))
    }

    private static func encrypted(
        _ encryption: XMLBlockEncryption = .aes256GCM, _ transport: XMLKeyTransport = .maskedBySHA1()
    ) throws -> XMLElement {
        try XMLEncryptor(recipient: key.get().publicKey, encryption: encryption, transport: transport).encrypt(element)
    }

    @Test("encrypted elements are decrypted, also after serialization", arguments: XMLBlockEncryption.allCases)
    func roundTrips(encryption: XMLBlockEncryption) throws {
        let transports: [XMLKeyTransport] = [
            .maskedBySHA1(), .maskedBySHA1(.sha256), .oaep(.init(hash: .sha256, maskHash: .sha256)),
            .oaep(.init(hash: .sha1, maskHash: .sha512)), .oaep(.init(hash: .sha384, maskHash: .sha1)),
        ]
        for transport in transports {
            let holder = Self.holder([try Self.encrypted(encryption, transport)])
            let read = try XMLElement(parsing: holder.serialized())
            let keys = [try Self.otherKey.get(), try Self.key.get()]
            #expect(try XMLDecryptor(keys: keys).decrypt(read).canonicalForm() == Self.element.canonicalForm())
            #expect(throws: XMLEncryptionError.failed) { try XMLDecryptor(keys: [try Self.otherKey.get()]).decrypt(read) }
            #expect(throws: XMLEncryptionError.failed) { try XMLDecryptor(keys: []).decrypt(read) }
        }
    }

    @Test("the key may be beside the data, with an Id or without, among others")
    func placesOfKeys() throws {
        var data = try Self.encrypted()
        let info = try #require(data.child("KeyInfo"))
        var key = try #require(info.child("EncryptedKey"))
        let foreign = try #require(
            try XMLEncryptor(recipient: Self.otherKey.get().publicKey).encrypt(Self.element).child("KeyInfo")?.child("EncryptedKey"))
        let decryptor = XMLDecryptor(keys: [try Self.key.get()])
        data.content.removeAll { $0 == .element(info) }
        #expect(try decryptor.decrypt(Self.holder([data, foreign, key])).text == Self.element.text)
        // Each attempt takes time, so their number is limited.
        let foreignKeys = [XMLElement](repeating: foreign, count: 15)
        #expect(try decryptor.decrypt(Self.holder([data] + foreignKeys + [key])).text == Self.element.text)
        #expect(throws: XMLEncryptionError.malformed) { try decryptor.decrypt(Self.holder([data, foreign] + foreignKeys + [key])) }
        key.attributes = [.init(name: "Id", namespace: "", value: "k1")]
        for (uri, found) in [("#k1", true), ("#k2", false), ("k1", false)] {
            let method = XMLElement("ds:RetrievalMethod", in: XMLSecurity.signature, attributes: ["URI": uri])
            var named = data
            named.content.insert(.element(XMLElement("ds:KeyInfo", in: XMLSecurity.signature, [.element(method)])), at: 1)
            let holder = Self.holder([named, key])
            if found {
                #expect(try decryptor.decrypt(holder).text == Self.element.text)
            } else {
                #expect(throws: XMLEncryptionError.malformed) { try decryptor.decrypt(holder) }
            }
        }
    }

    @Test("every fault of the ciphertext has the same error")
    func oneError() throws {
        let decryptor = XMLDecryptor(keys: [try Self.key.get()])
        for encryption in [XMLBlockEncryption.aes128CBC, .aes256GCM] {
            let text = String(decoding: Self.holder([try Self.encrypted(encryption)]).serialized(), as: UTF8.self)
            let parts = text.split(separator: "<xenc:CipherValue>").dropFirst().compactMap { $0.split(separator: "<").first }
            #expect(parts.count == 2)
            for part in parts {
                let bytes = try #require([UInt8](base64: String(part)))
                var (first, last) = (bytes, bytes)
                first[0] ^= 1
                last[bytes.count - 1] ^= 1
                let changes: [[UInt8]] = [first, last, Array(bytes.dropLast(16)), [1, 2, 3]]
                for broken in changes {
                    // A change in the first block of the chain may remain unnoticed, but then the result is not XML.
                    let document = text.replacing(part, with: broken.base64)
                    #expect(throws: XMLEncryptionError.failed) { try decryptor.decrypt(XMLElement(parsing: Array(document.utf8))) }
                }
            }
        }
    }

    @Test("RSAES-PKCS1-v1_5, unknown algorithms and OAEP parameters are refused")
    func algorithms() throws {
        let decryptor = XMLDecryptor(keys: [try Self.key.get()])
        let text = String(decoding: Self.holder([try Self.encrypted()]).serialized(), as: UTF8.self)
        for (old, new) in [
            ("rsa-oaep-mgf1p", "rsa-1_5"), ("aes256-gcm", "tripledes-cbc"), ("xmldsig#sha1", "xmldsig#md5"),
            ("<ds:DigestMethod", "<xenc:OAEPparams>AAAA</xenc:OAEPparams><ds:DigestMethod"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(throws: XMLEncryptionError.unsupportedAlgorithm) { try decryptor.decrypt(XMLElement(parsing: Array(changed.utf8))) }
        }
        for (old, new) in [
            ("xmlenc#Element", "xmlenc#Content"), ("xenc:EncryptionMethod", "xenc:Other"), ("CipherValue", "CipherReference"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(throws: XMLEncryptionError.malformed) { try decryptor.decrypt(XMLElement(parsing: Array(changed.utf8))) }
        }
    }

    @Test("a text that uses the namespaces of its ancestors is parsed")
    func namespaces() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let text = try BlockEncryption(.gcm, key: key).encrypt(Array("<p:x>y</p:x>".utf8)).base64
        let transported = try Self.key.get().publicKey.encrypt(key, OAEP(hash: .sha1, maskHash: .sha1)).base64
        var document = String(decoding: Self.holder([try Self.encrypted()]).serialized(), as: UTF8.self)
        let values = document.split(separator: "<xenc:CipherValue>").dropFirst().compactMap { $0.split(separator: "<").first }
        for (value, new) in zip(values.map(String.init), [transported, text]) { document = document.replacing(value, with: new) }
        let holder = try XMLElement(parsing: Array(document.utf8))
        var outer = XMLElement("r", in: "urn:r", [.element(holder)])
        let decryptor = XMLDecryptor(keys: [try Self.key.get()])
        #expect(throws: XMLEncryptionError.failed) { try decryptor.decrypt(holder, within: [outer]) }
        outer.declarations = [.init(prefix: "p", namespace: "urn:p")]
        let found = try decryptor.decrypt(holder, within: [outer])
        #expect(found.isNamed("x", in: "urn:p"))
        #expect(found.text == "y")
    }
}
