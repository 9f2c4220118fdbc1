import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import ControlFace

@Suite("What was issued under a provider, a client or a person that a call removes")
struct RemovedMemberTests {
    /// For whom grants are issued.
    private struct Holder: Sendable {
        var provider = "company"
        var client = ""
        var person = ""

        static let all = [
            Holder(client: "web", person: "alice"), Holder(client: "cli", person: "alice"), Holder(person: "alice"),
            Holder(client: "web", person: "bob"), Holder(client: "cli", person: "bob"), Holder(person: "bob"),
            Holder(client: "web"), Holder(client: "cli"), Holder(),
            Holder(provider: "facebook", client: "1234", person: "alice"), Holder(provider: "facebook", person: "alice"),
            Holder(provider: "google", person: "alice"),
        ]

        func grant(_ kind: Grant.Kind, at now: Timestamp) -> Grant {
            Grant(kind: kind, provider: provider, client: client, person: person, issued: now, expires: now + .seconds(600))
        }

        func token(_ kind: Grant.Kind) -> String { "\(kind.rawValue) of \(provider), \(client), \(person)" }
    }

    /// A call that changes a member, or not.
    struct Door: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var method = HTTPRequest.Method.put
        var path: String
        /// Changes the present document, which the call then sends.
        var change: (@Sendable (inout JSONObject) -> Void)?
        /// Whether the call revokes what is issued for a client and a person at a provider.
        var revokes: @Sendable (_ provider: String, _ client: String, _ person: String) -> Bool = { _, _, _ in false }

        static func atCompany(
            _ name: String, _ method: HTTPRequest.Method = .put, at path: String = "/providers/company",
            change: (@Sendable (inout JSONObject) -> Void)? = nil,
            revoking revokes: @escaping @Sendable (_ client: String, _ person: String) -> Bool = { _, _ in false }
        ) -> Door {
            Door(
                testDescription: name, method: method, path: path, change: change,
                revokes: { provider, client, person in provider == "company" && revokes(client, person) })
        }
    }

    @Sendable private static func isOfWeb(_ client: String, _ person: String) -> Bool { client == "web" }
    @Sendable private static func isOfAlice(_ client: String, _ person: String) -> Bool { person == "alice" }

    static let doors: [Door] = [
        .atCompany("a provider is deleted", .delete, revoking: { _, _ in true }),
        .atCompany(
            "a provider gets another issuer", change: { $0["issuer"] = "https://login.other.example" }, revoking: { _, _ in true }),
        .atCompany("a client is deleted", .delete, at: "/providers/company/clients/web", revoking: isOfWeb),
        .atCompany("a provider loses a client", change: { $0.drop("web", "id", of: "clients") }, revoking: isOfWeb),
        .atCompany("a person is deleted", .delete, at: "/providers/company/people/alice", revoking: isOfAlice),
        .atCompany("a provider loses a person", change: { $0.drop("alice", "name", of: "people") }, revoking: isOfAlice),
        .atCompany(
            "a person gets another subject", at: "/providers/company/people/alice", change: { $0["subject"] = "9" }, revoking: isOfAlice),
        .atCompany(
            "a provider's person gets another subject",
            change: { provider in
                let people = provider["people"]?.arrayValue ?? []
                provider["people"] = .array(people.map { $0["name"] == "alice" ? $0.with("subject", "9") : $0 })
            }, revoking: isOfAlice),
        Door(
            testDescription: "an app is deleted", method: .delete, path: "/providers/facebook/apps/1234",
            revokes: { provider, client, _ in provider == "facebook" && client == "1234" }),
        .atCompany("a provider is sent again", change: { _ in }),
        .atCompany("a provider gets another lifetime of tokens", change: { $0["tokenLifetime"] = 60 }),
        .atCompany("a client is sent again", at: "/providers/company/clients/web", change: { _ in }),
        .atCompany("a client gets another secret", at: "/providers/company/clients/web", change: { $0["secret"] = "s" }),
        .atCompany("a person is sent again", at: "/providers/company/people/alice", change: { _ in }),
        .atCompany("a person gets another password", at: "/providers/company/people/alice", change: { $0["password"] = "q" }),
        Door(testDescription: "an app is sent again", path: "/providers/facebook/apps/1234", change: { $0 = ["id": "1234"] }),
    ]

    /// A sandbox with a second person at the provider `company`.
    private func run(_ test: (ControlSandbox) async throws -> Void) async throws {
        try await ControlSandbox.run { control async throws in
            let bob = #"{"name":"bob","subject":"2","password":"p"}"#
            #expect(try await control.send(.put, "/providers/company/people/bob", bob).status == 201)
            try await test(control)
        }
    }

    private func pass(_ door: Door, _ control: ControlSandbox) async throws {
        var body = ""
        if let change = door.change {
            var document = try #require(try await control.send(.get, door.path).json.objectValue)
            change(&document)
            body = JSONValue.object(document).serialized()
        }
        let answer = try await control.send(door.method, door.path, body)
        #expect(answer.status == 200, "\(answer.json)")
    }

    @Test("is revoked, and nothing else is", arguments: doors)
    func grants(door: Door) async throws {
        try await run { control async throws in
            let (grants, issuer, now) = (control.cloud.grants, control.cloud.grantIssuer, control.cloud.clock.now)
            var sealed: [String] = []
            for holder in Holder.all {
                for kind in Grant.Kind.allCases { try await issuer.keep(holder.grant(kind, at: now), under: holder.token(kind)) }
                sealed.append(try issuer.seal(holder.grant(.accessToken, at: now)))
            }
            try await pass(door, control)
            for (holder, token) in zip(Holder.all, sealed) {
                let isGood = !door.revokes(holder.provider, holder.client, holder.person)
                for kind in Grant.Kind.allCases {
                    let name = holder.token(kind)
                    #expect(try (grants.find(name, kind: kind, at: holder.provider) != nil) == isGood, "\(name)")
                }
                #expect(try (grants.find(token, kind: .accessToken, at: holder.provider) != nil) == isGood, "sealed, \(holder)")
                // What is issued afterwards is valid: the name may have been given again.
                let later = try control.cloud.grantIssuer.seal(holder.grant(.accessToken, at: now))
                #expect(try grants.find(later, kind: .accessToken, at: holder.provider) != nil, "\(holder)")
            }
        }
    }

    @Test("includes the notice of a client at the end of a browser session")
    func participants() async throws {
        try await run { control async throws in
            let (grants, now) = (control.cloud.grants, control.cloud.clock.now)
            let other: [JSONValue] = [["client": "cli"], ["service_provider": "urn:sp", "name_id": "<NameID a=\"b\"/>"]]
            var session = Holder(person: "alice").grant(.browserSession, at: now)
            session.details = ["sid": "one", "participants": .array([["client": "web"]] + other)]
            try await control.cloud.grantIssuer.keep(session, under: "cookie")
            #expect(try await control.send(.delete, "/providers/company/clients/web").status == 200)
            let left = try #require(try grants.find("cookie", kind: .browserSession, at: "company"))
            #expect(left.details == ["sid": "one", "participants": .array(other)])
        }
    }

    @Test("includes the signing keys of the provider", arguments: doors.filter { $0.path == "/providers/company" })
    func keys(door: Door) async throws {
        try await run { control async throws in
            let cloud = control.cloud
            let old = try await cloud.signingKey(for: "company")
            let provider = try await control.send(.get, "/providers/company").json
            try await pass(door, control)
            let again = try await control.send(.put, "/providers/company", provider.serialized())
            #expect(again.status == (door.method == .delete ? 201 : 200), "\(again.json)")
            let isGood = !door.revokes("company", "", "")
            #expect(try await (cloud.verificationKey(old.keyID, of: "company") != nil) == isGood)
            let new = try await cloud.signingKey(for: "company")
            let thumbprints = [try JSONWebKey(old.verificationKey).thumbprint, try JSONWebKey(new.verificationKey).thumbprint]
            #expect((thumbprints[0] == thumbprints[1]) == isGood)
            #expect(try await (cloud.verificationKey(old.keyID, of: "company") != nil) == isGood)
            #expect(try await cloud.hasKey(thumbprints: [thumbprints[0]]))
        }
    }
}

extension JSONObject {
    /// Removes the object of a list whose member has a value.
    fileprivate mutating func drop(_ value: JSONValue, _ member: String, of list: String) {
        self[list] = .array((self[list]?.arrayValue ?? []).filter { $0[member] != value })
    }
}

extension JSONValue {
    fileprivate func with(_ member: String, _ value: JSONValue) -> JSONValue {
        var object = objectValue ?? [:]
        object[member] = value
        return .object(object)
    }
}
