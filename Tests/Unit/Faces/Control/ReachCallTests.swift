import Calls
import Cloud
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import ControlFace

@Suite("Who can reach what, in the control API")
struct ReachCallTests {
    private static let account = "111122223333"

    private static func statement(_ more: String) -> String {
        #"{Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "s3:*", \#(more)}]}"#
    }

    private static func trust(_ principal: String, _ condition: String) -> String {
        """
        {Version: "2012-10-17", Statement: [{Effect: "Allow", Principal: {Federated: "\(principal)"},
         Action: "sts:AssumeRoleWithWebIdentity", Condition: {StringEquals: {\(condition)}}}]}
        """
    }

    private static let seed = """
        {accounts: [{id: "\(account)",
          buckets: [{name: "box", objects: [{key: "110/a.txt", text: "a"}, {key: "220/b.txt", text: "b"}]}],
          users: [
            {name: "ann", policies: {all: \(statement(#"Resource: "arn:aws:s3:::box/*""#))}},
            {name: "bob", policies: {office: \(statement(
                #"Resource: "*", Condition: {IpAddress: {"aws:SourceIp": "10.0.0.0/8"}}"#))}},
            {name: "eve"}],
          roles: [
            {name: "files", trustPolicy: \(trust("accounts.google.com", #""accounts.google.com:aud": "app""#)),
             policies: {own: \(statement(#"Resource: "arn:aws:s3:::box/${accounts.google.com:sub}/*""#))}},
            {name: "locked", trustPolicy: \(trust("accounts.google.com", #""accounts.google.com:sub": "999""#)),
             policies: {all: \(statement(#"Resource: "*""#))}}]}],
         identityProviders: [{name: "google", clients: [{id: "app"}, {id: "other"}], people: [
            {name: "alice", subject: "110", password: "p"}, {name: "zoe", subject: "330", password: "p"},
            {name: "off", subject: "220", password: "p", enabled: false}]}]}
        """

    private static func run(_ seed: String = seed, _ test: (ControlSandbox) async throws -> Void) async throws {
        try await withCloud(seed) { cloud async throws in
            var control = ControlSandbox(cloud: cloud)
            control.decideS3 = { call, action, resource, assumption in
                call.authorize(assumption.caller, action, on: resource, ownedBy: account, assumed: assumption.keys)
            }
            try await test(control)
        }
    }

    /// The words of each row by the name of its caller.
    private static func rows(_ answer: ControlAnswer) -> [String: [String]] {
        (answer.json["callers"]?.arrayValue ?? []).reduce(into: [:]) { rows, caller in
            rows[caller["name"]?.stringValue ?? ""] = (caller["cells"]?.arrayValue ?? []).compactMap { $0["reach"]?.stringValue }
        }
    }

    @Test("is allowed, denied, or depends on what policies read of a request or of a session")
    func matrix() async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/reach")
            #expect(answer.status == 200)
            let places = try #require(answer.json["places"]?.arrayValue)
            #expect(places.map { $0["prefix"] } == ["110/", "220/"])
            #expect(places.map { $0["key"] } == ["110/a.txt", "220/b.txt"])
            #expect(places.first?["resource"] == "arn:aws:s3:::box/110/a.txt")
            #expect(answer.json["complete"] == true)
            let rows = Self.rows(answer)
            #expect(rows["ann"] == ["allowed", "allowed"])
            #expect(rows["bob"] == ["conditional", "conditional"])
            #expect(rows["eve"] == ["denied", "denied"])
            // Whose session it is decides.
            #expect(rows["files"] == ["conditional", "conditional"])
            #expect(rows["locked"] == ["allowed", "allowed"])
            #expect(rows["anonymous"] == ["denied", "denied"])
            #expect(answer.json["total"] == .integer(Int64(answer.json["callers"]?.arrayValue?.count ?? 0)))
        }
    }

    @Test("is for a person what a role reaches that the person can assume")
    func people() async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/reach?kind=person")
            let rows = Self.rows(answer)
            #expect(rows == ["alice": ["allowed", "denied"], "zoe": ["denied", "denied"], "off": ["denied", "denied"]])
            let alice = try #require(answer.json["callers"]?.arrayValue?.first)
            let role = "arn:aws:iam::\(Self.account):role/files"
            #expect(alice["id"] == "google")
            let way = try #require(alice["ways"]?.arrayValue?.first)
            #expect(alice["ways"]?.arrayValue?.count == 1)
            #expect(way["role"] == .string(role))
            #expect(way["trust"] == "allowed")
            #expect(way["context"] == ["accounts.google.com:aud": "app", "accounts.google.com:sub": "110"])
            #expect(alice["cells"]?.arrayValue?.first?["through"] == .string(role))
            #expect(answer.json["callers"]?.arrayValue?.last?["ways"] == [])
        }
    }

    @Test("depends on the claims of a person that are not known")
    func claims() async throws {
        let seed = """
            {accounts: [{id: "\(Self.account)", buckets: [{name: "box"}], roles: [
              {name: "mail", trustPolicy: \(Self.trust("accounts.google.com", #""accounts.google.com:email": "a@company.example""#)),
               policies: {all: \(Self.statement(#"Resource: "*""#))}}]}],
             identityProviders: [{name: "google", clients: [{id: "app"}], people: [{name: "alice", subject: "110", password: "p"}]}]}
            """
        try await Self.run(seed) { control async throws in
            let answer = try await control.send(.get, "/reach?kind=person")
            #expect(answer.json["places"]?.arrayValue?.map { $0["key"] } == ["example"])
            let alice = try #require(answer.json["callers"]?.arrayValue?.first)
            #expect(alice["ways"]?.arrayValue?.map { $0["trust"] } == ["conditional"])
            #expect(alice["cells"]?.arrayValue?.map { $0["reach"] } == ["conditional"])
        }
    }

    @Test("is decided as explanations are")
    func explained() async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/reach?access=delete")
            let places = answer.json["places"]?.arrayValue ?? []
            for caller in answer.json["callers"]?.arrayValue ?? [] where caller["kind"] == "user" || caller["kind"] == "root" {
                for (place, cell) in zip(places, caller["cells"]?.arrayValue ?? []) where cell["reach"] != "conditional" {
                    let verdict = control.decideS3(
                        Call(.get, "/", [:], cloud: control.cloud), place["action"]?.stringValue ?? "",
                        place["resource"]?.stringValue ?? "",
                        AccessAssumption(
                            caller: try #require(
                                control.cloud.directory.caller(named: caller["id"]?.stringValue ?? "", now: control.cloud.clock.now)),
                            keys: [:]))
                    #expect(verdict?.decision.isAllowed == (cell["reach"] == "allowed"))
                }
            }
            // The decisions are not those of a request.
            #expect(control.cloud.journal.recent(limit: 1) { _ in true }.first?.decisions.isEmpty == true)
        }
    }

    @Test("lists a bucket with its prefixes")
    func listing() async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/reach?access=list&bucket=box&kind=role")
            let places = answer.json["places"]?.arrayValue ?? []
            #expect(places.map { $0["prefix"] } == ["", "110/", "220/"])
            #expect(places.allSatisfy { $0["resource"] == "arn:aws:s3:::box" })
            #expect(places.allSatisfy { $0["key"] == .some(.null) })
            #expect(places.last?["context"] == ["s3:prefix": "220/"])
            #expect(Self.rows(answer)["files"] == ["denied", "denied", "denied"])
            let one = try await control.send(.get, "/reach?bucket=box&prefix=none/")
            #expect(one.json["places"]?.arrayValue?.first?["key"] == "none/example")
        }
    }

    @Test("is divided into pages of callers")
    func pages() async throws {
        try await Self.run { control async throws in
            let whole = try await control.send(.get, "/reach")
            let names = (whole.json["callers"]?.arrayValue ?? []).map { $0["name"] }
            var found: [JSONValue?] = []
            for from in stride(from: 0, to: names.count, by: 2) {
                let page = try await control.send(.get, "/reach?from=\(from)&limit=2")
                #expect(page.json["from"] == .integer(Int64(from)))
                #expect(page.json["total"] == whole.json["total"])
                found += (page.json["callers"]?.arrayValue ?? []).map { $0["name"] }
            }
            #expect(found == names)
            #expect(try await control.send(.get, "/reach?from=1000").json["callers"] == [])
        }
    }

    @Test(
        "refuses what it does not know",
        arguments: [
            ("who=x", 400, "unknown_filter"), ("access=own", 400, "malformed_filter"), ("kind=people", 400, "malformed_filter"),
            ("limit=0", 400, "malformed_filter"), ("limit=101", 400, "malformed_filter"), ("from=-1", 400, "malformed_filter"),
            ("from=x", 400, "malformed_filter"), ("prefix=a", 400, "missing_filter"), ("bucket=none", 404, "unknown_bucket"),
            ("access=%", 400, "malformed_filter"),
        ])
    func refusals(query: String, status: Int, error: String) async throws {
        try await Self.run { control async throws in
            let answer = try await control.send(.get, "/reach?\(query)")
            #expect(answer.status == status)
            #expect(answer.error == error)
        }
    }
}
