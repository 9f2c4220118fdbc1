// Runs our XML canonicalization, signatures and encryption by commands, one on each line, so that tests can compare them with other
// programs.
//
// A line contains an operation and its arguments, separated by spaces. Every text is in base64, and `-` is an empty one. The response is a
// line, too: `ok` and a text in base64, or `refused` and a reason.

import Cryptography
import Tokens
import WireFormats

/// An invalid command.
struct BadCommand: Error {}

func text(_ argument: Substring) throws -> [UInt8] {
    if argument == "-" { return [] }
    guard let bytes = [UInt8](base64: String(argument)) else { throw BadCommand() }
    return bytes
}

func string(_ argument: Substring) throws -> String { String(decoding: try text(argument), as: UTF8.self) }

func method(_ name: String) throws -> XMLCanonicalization {
    if name == "inclusive" { return .inclusive }
    let parts = name.split(separator: " ")
    guard parts.first == "exclusive" else { throw BadCommand() }
    return .exclusive(inclusivePrefixes: parts.dropFirst().map(String.init))
}

/// Returns the element with an `ID`, and its ancestors.
func find(_ id: String, in element: XMLElement, within ancestors: [XMLElement] = []) -> (XMLElement, [XMLElement])? {
    if element.attribute("ID") == id { return (element, ancestors) }
    for child in element.children {
        if let found = find(id, in: child, within: ancestors + [element]) { return found }
    }
    return nil
}

func replace(_ id: String, in element: XMLElement, with replacement: XMLElement) -> XMLElement {
    if element.attribute("ID") == id { return replacement }
    var element = element
    element.content = element.content.map { node in
        guard case .element(let child) = node else { return node }
        return .element(replace(id, in: child, with: replacement))
    }
    return element
}

func verificationKey(_ pem: String) throws -> VerificationKey {
    guard let key = VerificationKey(try X509Certificate(pem: pem)) else { throw BadCommand() }
    return key
}

func perform(_ line: Substring) throws -> [UInt8] {
    let arguments = line.split(separator: " ")
    switch (arguments.first, arguments.count) {
    case ("canonical", 4):
        // METHOD DOCUMENT ID: The element with the ID, or the whole document without one.
        let root = try XMLElement(parsing: text(arguments[2]))
        let id = try string(arguments[3])
        guard let (element, ancestors) = id.isEmpty ? (root, []) : find(id, in: root) else { throw BadCommand() }
        return element.canonicalForm(try method(string(arguments[1])), within: ancestors)
    case ("serialize", 2):
        return try XMLElement(parsing: text(arguments[1])).serialized()
    case ("sign", 5):
        // DOCUMENT ID PRIVATE-KEY ALGORITHM
        let root = try XMLElement(parsing: text(arguments[1]))
        let id = try string(arguments[2])
        guard let algorithm = SignatureAlgorithm(rawValue: try string(arguments[4])), let (element, _) = find(id, in: root) else {
            throw BadCommand()
        }
        let key = try SigningKey(pem: string(arguments[3]), algorithm: algorithm, created: Timestamp(seconds: 0))
        guard let signer = XMLSigner(key: key) else { throw BadCommand() }
        return replace(id, in: root, with: try signer.sign(element)).serialized()
    case ("verify", 5):
        // DOCUMENT ID CERTIFICATE SHA-1-ALLOWED
        let root = try XMLElement(parsing: text(arguments[1]))
        guard let (element, ancestors) = find(try string(arguments[2]), in: root) else { throw BadCommand() }
        let verifier = XMLSignatureVerifier(
            keys: [try verificationKey(string(arguments[3]))], allowingSHA1: try string(arguments[4]) == "yes")
        return try verifier.verify(element, within: ancestors).canonicalForm()
    case ("encrypt", 5):
        // DOCUMENT CERTIFICATE ALGORITHM TRANSPORT
        guard let encryption = XMLBlockEncryption(rawValue: try string(arguments[3])),
            let recipient = try X509Certificate(pem: string(arguments[2])).rsaKey
        else { throw BadCommand() }
        let transport: XMLKeyTransport =
            try string(arguments[4]) == "1.1" ? .oaep(OAEP(hash: .sha256, maskHash: .sha256)) : .maskedBySHA1()
        return try XMLEncryptor(recipient: recipient, encryption: encryption, transport: transport)
            .encrypt(XMLElement(parsing: text(arguments[1]))).serialized()
    case ("decrypt", 3):
        // HOLDER PRIVATE-KEY
        let holder = try XMLElement(parsing: text(arguments[1]))
        return try XMLDecryptor(keys: [RSAPrivateKey(pem: string(arguments[2]))]).decrypt(holder).canonicalForm()
    default: throw BadCommand()
    }
}

while let line = readLine() {
    do {
        let answer = try perform(line[...])
        print("ok", answer.isEmpty ? "-" : answer.base64)
    } catch {
        print("refused", Array("\(error)".utf8).base64)
    }
}
