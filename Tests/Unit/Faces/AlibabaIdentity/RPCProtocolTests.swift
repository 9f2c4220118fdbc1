import Cloud
import Directory
import HTTPTypes
import RequestSigning
import Seeds
import Testing
import WireFormats

@testable import AlibabaIdentityFaces

@Suite("Calls to Alibaba Cloud's RPC services")
struct RPCProtocolTests {
    @Test("are answered in JSON, with the request identifier in body and header")
    func json() async throws {
        try await RPCSandbox.run { sandbox async throws in
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await sandbox.call("GetCallerIdentity", as: .app, method: method)
                #expect(answer.status == 200)
                #expect(answer.fields[.contentType] == "application/json;charset=utf-8")
                let id = try #require(try answer.json["RequestId"]?.stringValue)
                #expect(answer.fields[try #require(HTTPField.Name("x-acs-request-id"))] == id)
                #expect(id == id.uppercased())
                #expect(id.utf8.count == 36)
                #expect(answer.journal.face == "alibaba-sts")
                #expect(answer.journal.operation == "GetCallerIdentity")
                #expect(answer.journal.caller == "acs:ram::1234567890123456:user/app-server")
                #expect(answer.journal.errorCode == nil)
            }
        }
    }

    @Test("are refused to a web page that signs them with a well-known key", arguments: ["Origin", "Sec-Fetch-Site", "User-Agent"])
    func pages(name: String) async throws {
        let values = ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "User-Agent": "Mozilla/5.0"]
        try await RPCSandbox.run { sandbox async throws in
            var fields: HTTPFields = [:]
            fields[try #require(HTTPField.Name(name))] = values[name]
            for method in [HTTPRequest.Method.get, .post] {
                let parameters = try sandbox.parameters("GetCallerIdentity", as: .app, method: method).encoded
                let refused =
                    method == .get
                    ? try await sandbox.send(.get, query: parameters, fields: fields)
                    : try await sandbox.send(.post, form: parameters, fields: fields)
                #expect(refused.status == 403, "\(refused.text)")
                #expect(refused.journal.errorCode == "Forbidden", "\(refused.text)")
            }
        }
    }

    @Test("are answered in XML by default or on request, without a namespace or a wrapper", arguments: ["XML", "xml", nil])
    func xml(format: String?) async throws {
        try await RPCSandbox.run { sandbox async throws in
            var parameters = try sandbox.parameters("GetCallerIdentity", as: nil)
            parameters.fields.removeAll { $0.name == "Format" }
            if let format { parameters.fields.append(.init(name: "Format", value: format)) }
            let signed = try sandbox.parameters("GetCallerIdentity", as: .app)
            parameters.fields =
                parameters.fields
                + signed.fields.filter { field in
                    !["Action", "Version", "Format", "Signature"].contains(field.name)
                }
            RPCSignature.sign(&parameters, method: "POST", secret: "app")
            let answer = try await sandbox.send(.post, form: parameters.encoded)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.fields[.contentType] == "text/xml;charset=utf-8", "\(answer.text)")
            let document = try XMLElement(parsing: Array(answer.text.utf8))
            #expect(document.name == "GetCallerIdentityResponse")
            #expect(document.namespace.isEmpty)
            #expect(document.child("Arn")?.text == "acs:ram::1234567890123456:user/app-server")
            #expect(document.child("RequestId")?.text == answer.fields[try #require(HTTPField.Name("x-acs-request-id"))])

            parameters.fields.append(.init(name: "Extra", value: "1"))
            let refused = try await sandbox.send(.post, form: parameters.encoded)
            let error = try XMLElement(parsing: Array(refused.text.utf8))
            #expect(refused.status == 400)
            #expect(error.name == "Error")
            #expect(error.child("Code")?.text == "SignatureDoesNotMatch")
            #expect(error.children.map(\.name) == ["RequestId", "HostId", "Code", "Message", "Recommend"])
        }
    }

    @Test("have lists that are nested twice in either format")
    func values() throws {
        let value: RPCValue = [
            "IsTruncated": false, "Count": 2, "Users": .list(of: "User", [["UserName": "a<b"], ["UserName": "c"]]),
        ]
        #expect(
            String(decoding: RPCFormat.json.document(value, root: "ListUsersResponse"), as: UTF8.self)
                == #"{"IsTruncated":false,"Count":2,"Users":{"User":[{"UserName":"a<b"},{"UserName":"c"}]}}"#)
        #expect(
            String(decoding: RPCFormat.xml.document(value, root: "ListUsersResponse"), as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <ListUsersResponse><IsTruncated>false</IsTruncated><Count>2</Count><Users><User><UserName>a&lt;b</UserName></User>\
                <User><UserName>c</UserName></User></Users></ListUsersResponse>
                """)
        #expect(RPCValue.members(["a": "1", "b": nil]) == ["a": "1"])
    }

    @Test("may have parameters in query and form, and unsigned headers of the core SDK")
    func mixed() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let parameters = try sandbox.parameters("GetCallerIdentity", as: .app)
            let query = FormFields.joined(parameters.fields.prefix(4))
            let form = FormFields.joined(parameters.fields.dropFirst(4))
            var fields = HTTPFields()
            fields[try #require(.init("x-acs-action"))] = "AssumeRole"
            let answer = try await sandbox.send(.post, query: query, form: form, fields: fields)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test("with the third signature are answered in JSON, or in XML if only that is accepted")
    func third() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let answer = try await sandbox.callV3("GetCallerIdentity", as: .app)
            #expect(try answer.json["Arn"] == "acs:ram::1234567890123456:user/app-server", "\(answer.text)")
            let xml = try await sandbox.callV3("GetCallerIdentity", as: .app, fields: [.accept: "text/xml"])
            #expect(xml.fields[.contentType] == "text/xml;charset=utf-8")
            #expect(xml.status == 200)
            let wrong = try await sandbox.callV3("GetCallerIdentity", as: .app) { $0.query = RawQuery("a=b") }
            #expect(wrong.status == 400)
            #expect(wrong.code == "SignatureDoesNotMatch")
            #expect(wrong.message?.contains("server string to sign is:ACS3-HMAC-SHA256\n") == true)
            #expect(wrong.message?.contains("server CanonicalRequest is:POST\n/\na=b\n") == true)
        }
    }

    @Test("show the string to sign after the only colon, as clients compare it")
    func mismatch() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let answer = try await sandbox.call("GetCallerIdentity", as: .init(id: "LTAIAPP", secret: "wrong"))
            #expect(answer.status == 400)
            #expect(answer.code == "SignatureDoesNotMatch")
            #expect(answer.journal.errorCode == "SignatureDoesNotMatch")
            let message = try #require(answer.message)
            #expect(message.hasPrefix("Specified signature is not matched with our calculation. server string to sign is:POST&%2F&"))
            #expect(message.split(separator: ":").count == 2)
            #expect(try answer.json["HostId"] == "sts.aliyuncs.com")
            #expect(try answer.json["Recommend"]?.stringValue?.contains("q=SignatureDoesNotMatch&product=Sts") == true)
        }
    }

    @Test("need a valid key, nonce and time")
    func gateway() async throws {
        try await RPCSandbox.run { sandbox async throws in
            func refusal(_ more: FormFields, _ keys: RPCSandbox.Keys = .app) async throws -> String {
                let answer = try await sandbox.call("GetCallerIdentity", more, as: keys)
                return "\(answer.status) \(answer.code ?? "")"
            }
            #expect(try await refusal([:], .init(id: "LTAINOBODY", secret: "x")) == "404 InvalidAccessKeyId.NotFound")
            #expect(try await refusal([:], .init(id: "STS.x", secret: "x")) == "400 MissingSecurityToken")
            #expect(try await refusal([:], .init(id: "STS.x", secret: "x", token: "CAISx")) == "400 InvalidSecurityToken.Malformed")
            #expect(try await refusal(["Timestamp": "2023-12-16T16:20:57Z"]) == "400 InvalidTimeStamp.Expired")
            #expect(try await refusal(["Timestamp": "20231216T162057Z"]) == "400 InvalidTimeStamp.Format")
            #expect(try await refusal(["SignatureMethod": "HMAC-MD5"]) == "400 InvalidSignatureMethod")
            #expect(try await refusal(["SignatureNonce": ""]) == "400 MissingSignatureNonce")
            #expect(try await refusal(["Format": "YAML"]) == "400 InvalidParameter.Format")
            let parameters = try sandbox.parameters("GetCallerIdentity", as: .app)
            #expect(try await sandbox.send(.post, form: parameters.encoded).status == 200)
            #expect(try await sandbox.send(.post, form: parameters.encoded).code == "SignatureNonceUsed")
            let unsigned = try await sandbox.call("GetCallerIdentity", as: nil)
            #expect(unsigned.status == 400)
            #expect(unsigned.code == "MissingAccessKeyId")
        }
    }

    @Test("of unknown actions and versions are refused")
    func unknown() async throws {
        try await RPCSandbox.run { sandbox async throws in
            let action = try await sandbox.call("GetFederationToken", as: .app)
            #expect(action.status == 404)
            #expect(action.code == "InvalidAction.NotFound")
            let version = try await sandbox.call("GetCallerIdentity", as: .app, version: "2011-06-15")
            #expect(version.status == 400)
            #expect(version.code == "InvalidVersion")
            let nothing = try await sandbox.send(.post, form: "Version=2015-04-01&Format=JSON")
            #expect(nothing.status == 400)
            #expect(nothing.code == "MissingAction")
            let method = try await sandbox.send(.put, query: "Action=GetCallerIdentity&Version=2015-04-01")
            #expect(method.status == 400)
        }
    }

    @Test("apply fault rules, with the service's messages")
    func faults() async throws {
        try await RPCSandbox.run { sandbox async throws in
            var rule = FaultRule()
            rule.service = "alibaba-sts"
            rule.action = "GetCallerIdentity"
            rule.failure = .init(code: "Throttling.User")
            _ = sandbox.cloud.faults.add(rule)
            let answer = try await sandbox.call("GetCallerIdentity", as: .app)
            #expect(answer.status == 400)
            #expect(answer.code == "Throttling.User")
            #expect(answer.message == "Request was denied due to user flow control.")
            #expect(try await sandbox.call("GetCallerIdentity", as: .app).status == 200)
            // The subject of a token is the caller, although the call is not signed.
            let token = try await sandbox.token()
            let parameters: FormFields = [
                "OIDCProviderArn": RPCSandbox.oidcProvider, "RoleArn": RPCSandbox.arn("oidc"), "OIDCToken": token,
                "RoleSessionName": "alice",
            ]
            for (person, status) in [("employee-2", 200), ("employee-1", 503)] {
                _ = sandbox.cloud.faults.add(
                    FaultRule(caller: "\(RPCSandbox.oidcProvider):\(person)", failure: .init(code: "ServiceUnavailable")))
                let answer = try await sandbox.call("AssumeRoleWithOIDC", parameters, as: nil)
                #expect(answer.status == status, "\(answer.text)")
            }
            // The provider's keys cannot be fetched.
            _ = sandbox.cloud.faults.add(FaultRule(service: "company", action: "KeySet", failure: .init(code: "ServiceUnavailable")))
            #expect(try await sandbox.call("AssumeRoleWithOIDC", parameters, as: nil).code == "AuthenticationFail.OIDCToken.Invalid")
        }
    }
}

extension FormFields {
    fileprivate static func joined(_ fields: some Sequence<Field>) -> String {
        var form: FormFields = [:]
        form.fields = Array(fields)
        return form.encoded
    }
}
