import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ConsoleFace

@Suite("The playground")
struct PlaygroundTests {
    private static let google: JSONValue = [
        "name": "google", "clients": [["id": "app", "secret": "s"]],
        "people": [["name": "alice", "claims": ["name": "Alice Archer"]]],
    ]

    @Test("starts a login by a link, with PKCE and a state of its own, and keeps nothing")
    func start() async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /providers"] = ["providers": [["name": "google"]]]
            console.answers["GET /providers/google"] = Self.google
            let page = try await console.send(.get, "/playground").text
            #expect(page.contains("href=\"http://localhost:4566/idp/google/o/oauth2/v2/auth?response_type=code&amp;client_id=app&amp;"))
            #expect(page.contains("redirect_uri=http%3A%2F%2Flocalhost%3A4566%2F_virga%2Fui%2Fcallback"))
            #expect(page.contains("code_challenge_method=S256"))
            #expect(page.contains("Log in with"))
        }
    }

    @Test("refuses a return that it did not start")
    func foreignReturn() async throws {
        try await ConsoleOfATest.run { console async throws in
            for query in ["?code=x", "?SAMLResponse=x&RelayState=a.b.c", "?code=x&state=a.b.c", "?code=x&state=YQ.Z29vZ2xl.AAAA"] {
                #expect(try await console.send(.get, "/callback\(query)").status == 403)
            }
        }
    }

    @Test("asks for the fragment of the implicit flow, and refuses one that it did not start")
    func fragments() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/callback").text.contains("data-fragment"))
            let address = "address=http%3A%2F%2Flocalhost%3A4566%2F_virga%2Fui%2Fcallback%23access_token%3Dx%26state%3Da.b.c"
            #expect(
                try await console.send(.post, "/playground/return", ConsoleOfATest.form, body: "form=form-open&\(address)").status == 403)
        }
    }

    @Test(
        "says which seed has a path that the cloud lacks",
        arguments: [("alibaba", "alibaba"), ("mobile", "mobile-cloud"), ("vending", "vending-machine")])
    func missing(path: String, seed: String) async throws {
        try await ConsoleOfATest.run { console async throws in
            var console = console
            console.answers["GET /seed"] = [:]
            console.answers["GET /mobile/backends"] = ["backends": []]
            #expect(try await console.send(.get, "/playground?path=\(path)").text.contains("virga serve --seed seed/\(seed).json5"))
        }
    }

    @Test("shares the settings of a walk without its secrets")
    func settings() throws {
        let provider = try #require(WalkProvider(Self.google))
        var walk = Walk(id: "w", generation: 1, created: .now(), course: WebIdentityCourse(provider: provider))
        walk.token = WalkToken(text: "the-token", kind: "id_token", received: 0)
        (walk.person, walk.order.roleARN, walk.order.token) = ("Alice Archer", "arn:aws:iam::1:role/r", "another-token")
        #expect(
            walk.settings.encoded
                == "path=web-identity&provider=google&person=alice&role=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&session=playground&duration=3600")
        var other = walk
        other.readSettings(["role": "arn:other", "policy": "{}"])
        #expect(other.order.roleARN == "arn:other")
        #expect(other.order.policy == "{}")
        #expect(other.order.duration == "3600")
    }

    @Test("accepts a state of the same session only")
    func states() throws {
        let walks = WalkStore()
        let state = try #require(walks.state(walk: "w", provider: "google", session: "a"))
        #expect(walks.read(state: state, session: "a").map { $0.walk + $0.provider } == "wgoogle")
        #expect(walks.read(state: state, session: "b") == nil)
        #expect(walks.read(state: state + "x", session: "a") == nil)
        #expect(WalkStore().read(state: state, session: "a") == nil)
    }

    @Test("keeps a hundred walks for two hours, until a reset")
    func limits() throws {
        let walks = WalkStore()
        let provider = try #require(WalkProvider(Self.google))
        let start = Timestamp(seconds: 1_000_000)
        for number in 0..<101 {
            walks.keep(
                Walk(id: "w\(number)", generation: 1, created: start + .seconds(number), course: WebIdentityCourse(provider: provider)),
                session: "one")
        }
        #expect(walks.walk("w0", generation: 1, session: "one", at: start) == nil)
        #expect(walks.walk("w1", generation: 1, session: "one", at: start) != nil)
        #expect(walks.walk("w1", generation: 1, session: "one", at: start + .seconds(7201)) == nil)
        #expect(walks.walk("w100", generation: 2, session: "one", at: start) == nil)
        #expect(walks.all(generation: 1, session: "one", at: start).isEmpty)
    }

    @Test("finds the folder that a policy allows, with its variables resolved")
    func scope() {
        let policy = """
            {"Statement": [{"Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::files"},
             {"Effect": "Allow", "Action": "s3:GetObject", "Resource": ["arn:aws:s3:::files/${accounts.google.com:sub}/*"]}]}
            """
        let scope = PolicyScope(policies: [policy], claims: ["accounts.google.com:sub": ["110"]])
        #expect(scope?.bucket == "files")
        #expect(scope?.prefix == "110/")
        #expect(PolicyScope.variables(in: [policy, policy]) == ["accounts.google.com:sub"])
        #expect(PolicyScope(policies: ["no JSON", "{}"], claims: [:]) == nil)
        let ram = "{\"Statement\": [{\"Effect\": \"Allow\", \"Action\": \"oss:*\", \"Resource\": \"acs:oss:*:*:photos/alice/*\"}]}"
        let own = PolicyScope(policies: [ram], claims: [:])
        #expect(own?.bucket == "photos")
        #expect(own?.prefix == "alice/")
    }

    @Test("ends with the walk")
    func gone() async throws {
        try await ConsoleOfATest.run { console async throws in
            #expect(try await console.send(.get, "/playground/nothing").status == 404)
            #expect(try await console.send(.post, "/playground/nothing/assume", ConsoleOfATest.form, body: "form=form-open").status == 404)
        }
    }

    @Test("has an experiment for each mistake, each with another name", arguments: ["google", "facebook", "amazon", "openIDConnect"])
    func experiments(kind: String) throws {
        var json = try #require(Self.google.objectValue)
        json["kind"] = .string(kind)
        let course = WebIdentityCourse(provider: try #require(WalkProvider(.object(json))))
        var walk = Walk(id: "w", generation: 1, created: .now(), course: course)
        #expect(course.experiments(in: walk).isEmpty)
        walk.token = WalkToken(text: "x", kind: "id_token", received: 0)
        let all = course.experiments(in: walk)
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.allSatisfy { !$0.expected.isEmpty })
        #expect(all.count >= 12)
    }

    private static let saml: JSONValue = [
        "name": "campus",
        "saml": [
            "serviceProviders": [
                [
                    "entityID": "urn:amazon:webservices",
                    "attributes": [
                        [
                            "name": "https://aws.amazon.com/SAML/Attributes/Role",
                            "values": ["arn:aws:iam::1:saml-provider/campus,arn:aws:iam::1:role/student"],
                        ]
                    ],
                ]
            ]
        ],
        "people": [["name": "alice", "subject": "s-1", "claims": ["name": "Alice Archer"]]],
    ]

    @Test("finds the role and the provider of assertions in either order")
    func assertions() throws {
        let provider = try #require(SAMLWalkProvider(Self.saml))
        #expect(provider.role == "arn:aws:iam::1:role/student")
        #expect(provider.principal == "arn:aws:iam::1:saml-provider/campus")
        #expect(SAMLWalkProvider(Self.google) == nil)
        let course = SAMLCourse(provider: provider)
        #expect(course.owner(of: "s-1/notes.txt") == "alice")
        #expect(course.owner(of: "other") == nil)
        var walk = Walk(id: "w", generation: 1, created: .now(), course: course)
        walk.token = WalkToken(text: "x", kind: "SAMLResponse", received: 0)
        let all = course.experiments(in: walk)
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.count >= 12)
    }

    @Test("takes the assertion out of a response with its namespace")
    func assertionElement() {
        let text =
            "<samlp:Response xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\"><saml:Assertion ID=\"1\">a</saml:Assertion></samlp:Response>"
        #expect(
            MobileCourse.assertion(in: text)
                == "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"1\">a</saml:Assertion>")
    }

    @Test("says why a method of a backend is off")
    func obstacles() {
        let backend = MobileBackendSettings(json: ["name": "App", "basic": true, "oauth": false])
        #expect(backend.obstacle(to: .basic) == nil)
        #expect(backend.obstacle(to: .oauth)?.hasPrefix("OAuth Consumer is off.") == true)
        #expect(backend.obstacle(to: .facebook)?.hasPrefix("Social Login is off.") == true)
        let social = MobileBackendSettings(json: ["name": "App", "facebook": ["appID": "1"]])
        #expect(social.obstacle(to: .facebook) == nil)
        #expect(social.obstacle(to: .basic) != nil)
    }

    @Test("reads values of a vending machine's text, which is not JSON")
    func vendedText() {
        let text = "{\taccessKey: \"ASIA\",\tsecretKey: \"s\",\texpirationDate: \"12\"}"
        #expect(VendingCourse.value("secretKey", in: text) == "s")
        #expect(VendingCourse.value("expirationDate", in: text) == "12")
        #expect(VendingCourse.value("securityToken", in: text) == nil)
    }
}
