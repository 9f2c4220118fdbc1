import Cryptography
import Testing
import Tokens
import WireFormats

@Suite("JSON Web Keys")
struct JSONWebKeyTests {
    @Test("The thumbprint is that of RFC 7638, section 3.1")
    func thumbprint() throws {
        let key = try #require(
            JSONWebKey([
                "kty": "RSA",
                "n": .string(
                    "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj"
                        + "hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu"
                        + "6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU"
                        + "8awapJzKnqDKgw"),
                "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
            ]))
        #expect(try key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(key.keyID == "2011-04-29")
        #expect(key.algorithm == .rs256)
    }

    @Test(
        "A signing key is published under its thumbprint and can be parsed",
        arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es512, .edDSA, .ed25519])
    func publishes(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let json = try key.jsonWebKey.json
        #expect(json["use"] == "sig")
        #expect(json["alg"]?.stringValue == algorithm.rawValue)
        #expect(json["kid"]?.stringValue == key.keyID)
        #expect(json["d"] == nil)
        let read = try #require(JSONWebKey(json))
        #expect(try read.thumbprint == key.keyID)
        #expect(try read.json == json)
        try JSONWebToken(parsing: JSONWebToken.sign(claims: [:], key: key)).verify(with: read.key)
    }

    @Test("An RSA key is published as kty, use, alg, kid, n, e")
    func order() throws {
        #expect(try TestKeys.key(.rs256).jsonWebKey.json.names == ["kty", "use", "alg", "kid", "n", "e"])
        #expect(try TestKeys.key(.es256).jsonWebKey.json.names == ["kty", "use", "alg", "kid", "crv", "x", "y"])
    }

    @Test("A signing key survives storage", arguments: [SignatureAlgorithm.rs256, .es384, .edDSA])
    func storage(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let read = try SigningKey(pem: key.pem, algorithm: algorithm, created: key.created)
        #expect(read.keyID == key.keyID)
        #expect(read.created == TestKeys.created)
        try JSONWebToken(parsing: JSONWebToken.sign(claims: [:], key: read)).verify(with: key.verificationKey)
        let unfit: [SignatureAlgorithm] = algorithm == .rs256 ? [.es256, .edDSA] : [.rs256, .ps256, .es256, .es512, .hs256]
        for other in unfit {
            #expect(throws: CryptographyError.invalidKey) { try SigningKey(pem: key.pem, algorithm: other, created: key.created) }
        }
    }

    /// Changes to the published RSA or EC key that make it unusable; null removes a member.
    static let spoiled: [JSONObject] = [
        ["kty": "oct"], ["kty": "OKP"], ["kty": .null], ["kty": "rsa"], ["use": "enc"], ["use": 1], ["key_ops": ["sign"]],
        ["key_ops": []], ["key_ops": "verify"], ["alg": "RSA-OAEP"], ["alg": "EdDSA"], ["alg": "HS256"], ["alg": "ES384"], ["alg": 1],
        ["n": .null], ["n": "AQAB"], ["n": "!"], ["e": .null], ["e": "AQ"], ["e": "AQAB="], ["x": .null], ["y": .null],
        ["x": "AQAB"], ["y": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"], ["crv": "P-384"], ["crv": "secp256k1"], ["crv": .null],
    ]

    @Test("Refuses keys that cannot verify", arguments: spoiled)
    func unusable(change: JSONObject) throws {
        let isEC = ["x", "y", "crv"].contains(change.names.first)
        var json = isEC ? PublishedTokens.ecKey : PublishedTokens.rsaKey
        #expect(JSONWebKey(json) != nil)
        for (name, value) in change.members { json[name] = value == .null ? nil : value }
        #expect(JSONWebKey(json) == nil)
    }

    @Test(
        "Refuses Ed25519 keys that cannot verify, and shared secrets",
        arguments: [
            ["crv": "Ed448"], ["crv": "X25519"], ["crv": .null], ["x": .null], ["x": "AQAB"], ["x": "!"], ["kty": "EC"], ["alg": "ES256"],
            ["alg": "EdDSA", "use": "enc"], ["kty": "oct", "k": "AyM1SysPpbyDfgZld3umj1qz"],
        ] as [JSONObject])
    func unusableEdwards(change: JSONObject) {
        var json: JSONObject = ["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "alg": "EdDSA"]
        #expect(JSONWebKey(json) != nil)
        for (name, value) in change.members { json[name] = value == .null ? nil : value }
        #expect(JSONWebKey(json) == nil)
    }

    @Test("Accepts keys whose use or operations are for verification")
    func usable() {
        var json = PublishedTokens.rsaKey
        json["use"] = "sig"
        json["key_ops"] = ["verify", "sign"]
        json["alg"] = "RS384"
        json["x5t"] = "ignored"
        #expect(JSONWebKey(json)?.algorithm == .rs384)
    }
}

@Suite("JSON Web Key sets")
struct JSONWebKeySetTests {
    @Test("Parses what it publishes, and skips keys it cannot use")
    func reads() throws {
        let keys = try [TestKeys.key(.rs256), TestKeys.key(.es256)]
        let published = try JSONWebKeySet(keys.map(\.jsonWebKey)).json
        let elements = try #require(published["keys"]?.arrayValue)
        let document: JSONValue = ["keys": .array([["kty": "OKP", "crv": "Ed25519", "x": "AA"]] + elements), "other": 1]
        let set = try #require(JSONWebKeySet(parsing: document.serializedBytes()))
        #expect(set.keys.map(\.keyID) == keys.map(\.keyID))
    }

    @Test("Refuses documents with another structure", arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[]"#])
    func otherShapes(text: String) {
        #expect(JSONWebKeySet(parsing: Array(text.utf8)) == nil)
    }
}
