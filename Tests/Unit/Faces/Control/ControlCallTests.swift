import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Policy
import Testing
import WireFormats

@testable import ControlFace

@Suite("Calls of the control API")
struct ControlCallTests {
    @Test(
        "are found by path and method",
        arguments: [
            (.get, "/health", 200, nil), (.head, "/health", 200, nil), (.post, "/health", 405, "GET"), (.get, "/reset", 405, "POST"),
            (.put, "/clock", 405, "GET, POST"), (.get, "/tokens", 405, "POST"), (.post, "/journal", 405, "GET, DELETE"),
            (.get, "", 404, nil),
            (.get, "/", 200, nil), (.get, "/ready", 200, nil), (.get, "/health/", 404, nil), (.get, "/nothing", 404, nil),
            (.get, "/openapi.json", 200, nil), (.post, "/openapi.json", 405, "GET"), (.get, "/mobile", 404, nil),
            (.get, "/mobile/", 404, nil), (.get, "/mobile/realms/", 404, nil), (.get, "/mobile//realms", 404, nil),
            (.post, "/mobile/realms", 405, "GET"), (.post, "/mobile/realms/x", 405, "GET, PUT, DELETE"),
            (.put, "/faults/1", 405, "GET, DELETE"), (.get, "/providers/facebook/apps/", 404, nil),
        ] as [(HTTPRequest.Method, String, Int, String?)])
    func routes(method: HTTPRequest.Method, path: String, status: Int, allow: String?) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(method, path)
            #expect(answer.status == status)
            #expect(answer.fields[.allow] == allow)
            #expect(answer.fields[.contentType] == "application/json")
        }
    }

    @Test(
        "refuse an invalid body",
        arguments: [
            ("/clock", "", "malformed_body"), ("/clock", "[]", "malformed_body"), ("/clock", "{\"age\":\"PT1H\",}", "malformed_body"),
            ("/clock", "{}", "missing_member"), ("/clock", "{\"age\":3600}", "malformed_member"),
            ("/clock", "{\"age\":\"1h\"}", "malformed_member"),
            ("/clock", "{\"age\":\"PT0S\"}", "malformed_member"), ("/clock", "{\"age\":\"-PT1H\"}", "malformed_member"),
            ("/clock", "{\"age\":\"PT1.5S\"}", "malformed_member"), ("/clock", "{\"age\":\"P999999999W\"}", "malformed_member"),
            ("/clock", "{\"age\":\"PT1H\",\"set\":1}", "malformed_member"),
            ("/clock", "{\"age\":\"PT1H\",\"by\":1}", "unknown_member"), ("/tokens", "{}", "missing_member"),
            ("/tokens", "{\"provider\":\"company\"}", "missing_member"),
            ("/tokens", "{\"provider\":1,\"user\":\"alice\"}", "malformed_member"),
            ("/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"claims\":[]}", "malformed_member"),
            ("/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"lifetime\":\"1\"}", "malformed_member"),
            ("/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"lifetime\":0}", "malformed_member"),
            ("/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"lifetime\":9223372036854775807}", "malformed_member"),
            ("/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"colour\":\"x\"}", "unknown_member"),
            ("/tokens", "{\"provider\":\"facebook\",\"user\":\"alice\",\"claims\":{\"a\":1}}", "claims_not_possible"),
        ])
    func malformed(path: String, body: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, path, body)
            #expect(answer.status == 400)
            #expect(answer.error == error)
            #expect(answer.json["message"]?.stringValue?.isEmpty == false)
        }
    }

    @Test("report a truncated body as a client error", arguments: ["/clock", "/mobile/policies"])
    func cutOff(path: String) async throws {
        try await ControlSandbox.run { control async throws in
            let head = HTTPRequest(
                method: path == "/clock" ? .post : .put, scheme: "http", authority: "localhost:4566", path: "/_virga" + path)
            let call = Call(
                request: Request(head: head, body: .cutOff()), peer: nil, isSecure: false, cloud: control.cloud,
                names: control.names)
            let response = await ControlFace(access: control.access).respond(to: call, path: path)
            #expect(response.status == .badRequest)
            #expect(call.entry(status: 400).errorCode == "malformed_body")
        }
    }

    @Test("limit the size of a body")
    func size() async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/clock", String(repeating: " ", count: (1 << 20) + 1))
            #expect(answer.status == 413)
            #expect(answer.error == "body_too_large")
        }
    }

    @Test("reset the sandbox")
    func reset() async throws {
        try await ControlSandbox.run { control async throws in
            _ = try await control.cloud.objects.createBucket(
                named: "more", account: "000000000000", region: "", created: control.cloud.clock.now)
            #expect(try await control.send(.post, "/reset").status == 200)
            #expect(control.cloud.objects.allBuckets.map(\.name) == ["box"])
            #expect(control.cloud.generation == 2)
        }
    }

    @Test("age the sandbox and return the time from which on nothing is aged")
    func clock() async throws {
        try await ControlSandbox.run { control async throws in
            let before = control.cloud.clock.now
            let answer = try await control.send(.post, "/clock", "{\"age\":\"PT1H5M\"}")
            #expect(answer.status == 200)
            let now = try #require(answer.json["now"]?.stringValue.flatMap { Timestamp(iso8601: $0) })
            #expect(control.cloud.clock.aging(since: before) == 3900)
            #expect(control.cloud.clock.aging(since: now) == 0)
        }
    }

    @Test("issue tokens for users", arguments: [("company", "1", "web", 3600), ("facebook", "10000", "1234", 5400)])
    func tokens(provider: String, subject: String, client: String, lifetime: Int64) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/tokens", "{\"provider\":\"\(provider)\",\"user\":\"alice\"}")
            #expect(answer.status == 200)
            #expect(answer.json["token"]?.stringValue?.isEmpty == false)
            #expect(answer.json["subject"] == .string(subject))
            #expect(answer.json["client"] == .string(client))
            #expect(answer.json["expires_in"] == .integer(lifetime))
        }
    }

    @Test(
        "name what is unknown",
        arguments: [
            ("{\"provider\":\"x\",\"user\":\"alice\"}", "unknown_provider"), ("{\"provider\":\"company\",\"user\":\"x\"}", "unknown_user"),
            ("{\"provider\":\"company\",\"user\":\"alice\",\"client\":\"x\"}", "unknown_client"),
            ("{\"provider\":\"google\",\"user\":\"alice\"}", "unknown_client"),
        ])
    func unknown(body: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.post, "/tokens", body)
            #expect(answer.status == 404)
            #expect(answer.error == error)
        }
    }

    @Test("list the names that exist")
    func known() async throws {
        try await ControlSandbox.run { control async throws in
            let user = try await control.send(.post, "/tokens", "{\"provider\":\"company\",\"user\":\"x\"}")
            #expect(user.json["message"] == "The provider 'company' has no user 'x'; expected one of alice.")
            let client = try await control.send(.post, "/tokens", "{\"provider\":\"company\",\"user\":\"alice\",\"client\":\"x\"}")
            #expect(client.json["message"] == "The provider 'company' has no client 'x'; expected one of web, cli.")
            let none = try await control.send(.post, "/tokens", "{\"provider\":\"google\",\"user\":\"alice\"}")
            #expect(none.json["message"] == "The provider 'google' has no client ''; it has none.")
        }
    }
}

/// An unsigned request to which no policy applies.
private final class Evidence: DecisionEvidence {
    var remedy: Remedy? { nil }
    var trace: DecisionTrace {
        PolicySet().trace(
            for: RequestContext(action: "s3:GetObject", resource: "*", principal: .anonymous, resourceAccount: "000000000000"))
    }
    var message: JSONValue { [:] }
}

@Suite("The journal in the control API")
struct JournalCallTests {
    private static func entry(
        _ target: String, face: String = "s3", caller: String? = nil, operation: String? = nil, status: Int = 200, error: String? = nil
    ) -> JournalEntry {
        JournalEntry(
            time: Timestamp(seconds: 1_795_262_400), requestID: "0123456789ABCDEF", method: "GET", target: target, host: "localhost",
            face: face, caller: caller, operation: operation,
            decisions: [JournalDecision(action: "s3:GetObject", resource: "*", allowed: false, evidence: Evidence())], status: status,
            errorCode: error)
    }

    @Test("lists entries with caller, decisions and trace, the newest first")
    func entries() async throws {
        try await ControlSandbox.run { control async throws in
            control.cloud.journal.append(Self.entry("/a"))
            control.cloud.journal.append(Self.entry("/b", caller: "arn:x", operation: "GetObject", status: 403, error: "AccessDenied"))
            let answer = try await control.send(.get, "/journal")
            #expect(answer.json["entries"]?.arrayValue?.count == 2)
            #expect(
                answer.json["entries"]?.arrayValue?.first == [
                    "number": 2, "time": "2026-11-21T12:00:00.000Z", "request_id": "0123456789ABCDEF", "source_ip": nil,
                    "scheme": "http", "trace_id": nil, "span_id": nil, "trace_flags": nil, "method": "GET", "target": "/b",
                    "host": "localhost", "face": "s3", "operation": "GetObject", "caller": "arn:x",
                    "claimed_key": nil, "status": 403, "error": "AccessDenied", "refused": true,
                    "reason": "s3:GetObject on * because no resource-based policy allows the s3:GetObject action", "faults": [],
                    "reported": false, "duration_ms": nil, "request_bytes": nil, "response_bytes": nil, "captured": false,
                    "decisions": [
                        [
                            "action": "s3:GetObject", "resource": "*", "allowed": false,
                            "trace": .array(Evidence().trace.explanation.map(JSONValue.string)),
                        ]
                    ], "upstream": nil, "upstream_status": nil,
                ])
        }
    }

    @Test(
        "filters its entries",
        arguments: [
            ("face=sts", ["/sts"]), ("operation=GetObject", ["/one"]), ("caller=role", ["/one"]), ("status=403", ["/denied"]),
            ("error=AccessDenied", ["/denied"]), ("path=den", ["/denied"]), ("limit=1", ["/sts"]), ("request_id=x", []),
            ("face=s3&status=200", ["/one"]), ("denied=true", ["/denied"]), ("after=2", ["/sts"]), ("after=9", []),
            ("request_id=0123456789ABCDEF&limit=2", ["/sts", "/denied"]),
        ])
    func filters(query: String, targets: [String]) async throws {
        try await ControlSandbox.run { control async throws in
            control.cloud.journal.append(Self.entry("/one", caller: "arn:role", operation: "GetObject"))
            control.cloud.journal.append(Self.entry("/denied", status: 403, error: "AccessDenied"))
            control.cloud.journal.append(Self.entry("/sts", face: "sts"))
            let entries = try await control.send(.get, "/journal?\(query)").json["entries"]?.arrayValue
            #expect(entries?.compactMap { $0["target"]?.stringValue } == targets)
        }
    }

    @Test(
        "refuses unknown filters",
        arguments: [
            ("user=x", "unknown_filter"), ("limit=0", "malformed_filter"), ("limit=1001", "malformed_filter"),
            ("limit=x", "malformed_filter"),
            ("face=%GG", "malformed_filter"),
        ])
    func badFilters(query: String, error: String) async throws {
        try await ControlSandbox.run { control async throws in
            let answer = try await control.send(.get, "/journal?\(query)")
            #expect(answer.status == 400)
            #expect(answer.error == error)
        }
    }

    @Test(
        "masks credentials",
        arguments: [
            ("/a?x=1", "/a?x=1"), ("/a", "/a"), ("/a?X-Amz-Signature=abc&x=1", "/a?X-Amz-Signature=…&x=1"),
            ("/a?access_token=abc", "/a?access_token=…"), ("/a?access%5Ftoken=abc", "/a?access%5Ftoken=…"),
            ("/a?x=1&code=2&y", "/a?x=1&code=…&y"),
            ("/?WebIdentityToken=e30", "/?WebIdentityToken=…"), ("/?refresh_token=r&Signature=s", "/?refresh_token=…&Signature=…"),
            ("/b/k?x-oss-signature=s&x-oss-security-token=t&x-oss-date=d", "/b/k?x-oss-signature=…&x-oss-security-token=…&x-oss-date=d"),
            ("/b/k?OSSAccessKeyId=a&Signature=s&security-token=t", "/b/k?OSSAccessKeyId=a&Signature=…&security-token=…"),
            ("/?Action=AssumeRoleWithOIDC&OIDCToken=e30", "/?Action=AssumeRoleWithOIDC&OIDCToken=…"),
            ("/?X-Amz-Security-Token=a%2Fb", "/?X-Amz-Security-Token=…"), ("/a?%GG=1&code=2", "/a?%GG=1&code=…"),
            ("/logout?id_token_hint=e30&state=s", "/logout?id_token_hint=…&state=s"), ("/authorize?request=e30", "/authorize?request=…"),
            ("/?SAMLAssertion=PD94", "/?SAMLAssertion=…"), ("/slo?SAMLResponse=PD94", "/slo?SAMLResponse=…"),
            ("/device?user_code=ABCD", "/device?user_code=…"),
        ])
    func masking(target: String, shown: String) async throws {
        try await ControlSandbox.run { control async throws in
            control.cloud.journal.append(Self.entry(target))
            let entries = try await control.send(.get, "/journal").json["entries"]?.arrayValue
            #expect(entries?.first?["target"] == .string(shown))
        }
    }
}
