import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

/// Requirements R38, R58, R60, R111, R120 and R149.
@Suite("Environment policies in the control API")
struct MobilePoliciesTests {
    private func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await ControlSandbox.run(mobile: "policies: {Mine: {a: [1]}}", test)
    }

    @Test("are exported as the service's file, with the service's defaults")
    func export() async throws {
        try await run { control async throws in
            let answer = try await control.sendRaw(.get, "/mobile/policies")
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "text/plain; charset=utf-8")
            let lines = answer.text.split(separator: "\n")
            #expect(lines.contains("*.*.Security_TokenExchangeTimeoutSecs=21600"))
            #expect(lines.contains("*.*.Security_AllowOrigin=disallow"))
            #expect(lines.contains(#"*.*.Mine={"a"\:[1]}"#))
            #expect(lines.contains("*.*.User_DefaultUserRealm=Default(1.0)"))
            #expect(!answer.text.contains("Security_AuthTokenConfiguration"))
            let json = try await control.send(.get, "/mobile/policies", fields: [.accept: "application/json"]).json
            #expect(json["policies"]?["Mine"] == #"{"a":[1]}"#)
        }
    }

    @Test("are imported from such a file, line by line, and the others are kept")
    func importing() async throws {
        try await run { control async throws in
            let file = #"""
                # from elsewhere
                *.*.Security_AuthTokenConfiguration={"issuers"\:[{"issuerName"\:"https\://i.example",\
                    "virtualUserEnabled"\:true}]}
                *.*.Security_AllowOrigin = https\://*.example.com
                """#
            let answer = try await control.sendRaw(.put, "/mobile/policies", file)
            let policies = control.cloud.directory.mobile.environment.policies
            #expect(answer.status == 200)
            #expect(answer.text.contains("Security_AuthTokenConfiguration"))
            #expect(
                policies["Security_AuthTokenConfiguration"]
                    == #"{"issuers":[{"issuerName":"https://i.example","virtualUserEnabled":true}]}"#)
            #expect(policies["Security_AllowOrigin"] == "https://*.example.com")
            #expect(policies["Mine"] == #"{"a":[1]}"#)
            // An import of the exported file changes nothing.
            _ = try await control.sendRaw(.put, "/mobile/policies", answer.text)
            #expect(control.cloud.directory.mobile.environment.policies.all.map(\.value) == policies.all.map(\.value))
            let json = try await control.send(
                .put, "/mobile/policies", #"{"Mine": null, "Other": {"b": 1}}"#, fields: [.accept: "application/json"])
            #expect(json.json["policies"]?["Mine"] == nil)
            #expect(json.json["policies"]?["Other"] == #"{"b":1}"#)
            _ = try await control.sendRaw(.delete, "/mobile/policies")
            #expect(control.cloud.directory.mobile.environment.policies == EnvironmentPolicies())
        }
    }

    @Test("are set, read and removed one by one, back to the service's defaults")
    func single() async throws {
        try await run { control async throws in
            let path = "/mobile/policies/Security_TokenExchangeTimeoutSecs"
            #expect(try await control.send(.get, path).json == ["name": "Security_TokenExchangeTimeoutSecs", "value": "21600"])
            #expect(try await control.send(.put, path, #"{"value": "60"}"#).json["value"] == "60")
            #expect(control.cloud.directory.mobile.environment.policies["Security_TokenExchangeTimeoutSecs"] == "60")
            #expect(try await control.send(.delete, path).status == 200)
            let gone = try await control.send(.get, path)
            #expect(gone.status == 404)
            #expect(gone.error == "unknown_policy")
            #expect(try await control.send(.delete, path).status == 404)
            #expect(try await control.send(.put, path, #"{"value": {"a": 1}}"#).json["value"] == #"{"a":1}"#)
            #expect(try await control.send(.put, path, "{}").error == "missing_member")
            #expect(try await control.send(.put, path, #"{"name": "x", "value": "1"}"#).error == "missing_member")
            #expect(try await control.send(.post, path, #"{"value": "1"}"#).status == 405)
        }
    }

    @Test(
        "are refused with the line that is wrong",
        arguments: ["Security_AllowOrigin=x", "*.*.=x", "app(1.0).*.Security_AllowOrigin=x", "*.*.A=x\n*.*.B=\\u12", "{"])
    func refusals(file: String) async throws {
        try await run { control async throws in
            #expect(try await control.send(.put, "/mobile/policies", file).error == "malformed_policies")
        }
    }
}
