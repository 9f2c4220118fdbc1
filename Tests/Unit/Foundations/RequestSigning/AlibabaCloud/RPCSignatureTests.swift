import RequestSigning
import Testing
import WireFormats

/// Made by aliyun-python-sdk-core 2.16.1 and alibabacloud-tea-openapi 0.4.6.
@Suite("The RPC signature")
struct RPCSignatureTests {
    static let common: FormFields = [
        "Action": "AssumeRole", "Version": "2015-04-01", "Format": "JSON", "AccessKeyId": OSSVectors.accessKey,
        "SignatureMethod": "HMAC-SHA1", "SignatureVersion": "1.0", "SignatureNonce": "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf",
        "Timestamp": "2023-12-16T16:20:57Z",
    ]
    static let assumeRole: FormFields = {
        var fields = common
        fields.fields += [
            .init(name: "RoleArn", value: "acs:ram::1234567890123456:role/demo-role"), .init(name: "RoleSessionName", value: "alice-001"),
            .init(name: "DurationSeconds", value: "3600"),
            .init(
                name: "Policy",
                value:
                    #"{"Version":"1","Statement":[{"Effect":"Allow","Action":"oss:*","Resource":"acs:oss:*:*:examplebucket/user/~alice *"}]}"#
            ),
        ]
        return fields
    }()
    static let withType: FormFields = {
        var fields = assumeRole
        fields.fields.append(.init(name: "SignatureType", value: ""))
        return fields
    }()
    static let callerIdentity: FormFields = {
        var fields = common
        fields.fields[0].value = "GetCallerIdentity"
        return fields
    }()

    static let vectors: [(String, FormFields, String)] = [
        ("GET", assumeRole, "oaMG10cj13pG++Y1f2zUfMFTh+g="), ("POST", assumeRole, "yMShL9+2VWpDI73QJDqw/z52qME="),
        ("GET", withType, "L5kAaE3mMqULXGmQKhBDAFoCpNg="), ("POST", withType, "TUZfaFFUruS7s2mGKetqpU3euhA="),
        ("GET", callerIdentity, "WXebO5mH3d8KM1gEYrwCxiK1uxc="),
    ]

    private func signed(_ parameters: FormFields, _ signature: String) -> FormFields {
        FormFields(parsing: "Signature=\(percentEncoded(signature))&\(parameters.encoded)") ?? [:]
    }

    @Test("of the SDKs' requests is verified", arguments: vectors)
    func verifies(method: String, parameters: FormFields, signature: String) throws {
        var parameters = signed(parameters, signature)
        let presented = try #require(try RPCSignature.Presented(parameters))
        #expect(presented.accessKey == OSSVectors.accessKey)
        #expect(presented.timestamp == OSSVectors.time)
        #expect(presented.sessionToken == nil)
        #expect(presented.nonce == "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf")
        try presented.verify(method: method, parameters: parameters, secret: OSSVectors.secret)
        #expect(throws: SignatureMismatch.self) {
            try presented.verify(method: "PUT", parameters: parameters, secret: OSSVectors.secret)
        }
        parameters.fields.append(.init(name: "Another", value: ""))
        #expect(throws: SignatureMismatch.self) {
            try presented.verify(method: method, parameters: parameters, secret: OSSVectors.secret)
        }
    }

    @Test("of ours is that of the SDKs", arguments: vectors)
    func signs(method: String, parameters: FormFields, signature: String) {
        var parameters = parameters
        RPCSignature.sign(&parameters, method: method, secret: OSSVectors.secret)
        #expect(parameters["Signature"] == signature)
    }

    @Test(
        "has the published string to sign",
        arguments: [
            (
                withType,
                "GET&%2F&AccessKeyId%3DLTAI5tMockAccessKeyId01%26Action%3DAssumeRole%26DurationSeconds%3D3600%26Format%3DJSON%26Policy%3D%257B%2522Version%2522%253A%25221%2522%252C%2522Statement%2522%253A%255B%257B%2522Effect%2522%253A%2522Allow%2522%252C%2522Action%2522%253A%2522oss%253A%252A%2522%252C%2522Resource%2522%253A%2522acs%253Aoss%253A%252A%253A%252A%253Aexamplebucket%252Fuser%252F~alice%2520%252A%2522%257D%255D%257D%26RoleArn%3Dacs%253Aram%253A%253A1234567890123456%253Arole%252Fdemo-role%26RoleSessionName%3Dalice-001%26SignatureMethod%3DHMAC-SHA1%26SignatureNonce%3D3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf%26SignatureType%3D%26SignatureVersion%3D1.0%26Timestamp%3D2023-12-16T16%253A20%253A57Z%26Version%3D2015-04-01"
            ),
            (
                callerIdentity,
                "GET&%2F&AccessKeyId%3DLTAI5tMockAccessKeyId01%26Action%3DGetCallerIdentity%26Format%3DJSON%26SignatureMethod%3DHMAC-SHA1%26SignatureNonce%3D3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf%26SignatureVersion%3D1.0%26Timestamp%3D2023-12-16T16%253A20%253A57Z%26Version%3D2015-04-01"
            ),
        ])
    func stringToSign(parameters: FormFields, expected: String) throws {
        let parameters = signed(parameters, "x")
        let presented = try #require(try RPCSignature.Presented(parameters))
        let mismatch = #expect(throws: SignatureMismatch.self) {
            try presented.verify(method: "GET", parameters: parameters, secret: OSSVectors.secret)
        }
        #expect(mismatch.map { String(decoding: $0.stringToSign, as: UTF8.self) } == expected)
        #expect(mismatch?.signatureProvided == "x")
    }

    @Test("is absent if no parameter belongs to it")
    func absent() throws {
        #expect(try RPCSignature.Presented(["Action": "AssumeRoleWithOIDC", "SignatureNonce": "n", "Timestamp": "t"]) == nil)
    }

    static let faults: [(String, String?, RPCSignatureError)] = [
        ("AccessKeyId", nil, .missing("AccessKeyId")), ("Signature", "", .missing("Signature")),
        ("SignatureMethod", nil, .missing("SignatureMethod")), ("SignatureMethod", "HMAC-SHA256", .unsupportedMethod("HMAC-SHA256")),
        ("SignatureVersion", nil, .missing("SignatureVersion")), ("SignatureVersion", "2.0", .unsupportedVersion("2.0")),
        ("SignatureNonce", "", .missing("SignatureNonce")), ("Timestamp", nil, .missing("Timestamp")),
        ("Timestamp", "20231216T162057Z", .malformedTimestamp("20231216T162057Z")),
        ("Timestamp", "2023-12-16T16:20:57.000Z", .malformedTimestamp("2023-12-16T16:20:57.000Z")),
        ("Timestamp", "2023-12-16T16:20:57+00:00", .malformedTimestamp("2023-12-16T16:20:57+00:00")),
    ]

    @Test("that is malformed is refused", arguments: faults)
    func malformed(name: String, value: String?, fault: RPCSignatureError) {
        var parameters = signed(Self.assumeRole, "s")
        parameters.fields.removeAll { $0.name == name }
        if let value { parameters.fields.append(.init(name: name, value: value)) }
        #expect(throws: fault) { try RPCSignature.Presented(parameters) }
    }
}
