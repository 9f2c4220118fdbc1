import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Token vending machines")
struct VendingMachineTests {
    private static let device = VendingSandbox.device
    private static let key = VendingSandbox.key
    private static let other = String(repeating: "f", count: 24)

    private func expect(
        _ answer: FaceAnswer, _ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.text == text, "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
        #expect(answer["Content-Type"] == "text/plain; charset=UTF-8", sourceLocation: sourceLocation)
        let expires = try #require(answer["Expires"].flatMap { Timestamp(httpDate: $0) }, sourceLocation: sourceLocation)
        #expect(abs(expires.seconds - answer.journal.time.seconds) < 60, sourceLocation: sourceLocation)
        #expect(answer.journal.face == "tvm", sourceLocation: sourceLocation)
    }

    @Test("refuse truncated bodies")
    func cutOff() async throws {
        try await VendingSandbox.run { machine async throws in
            let head = HTTPRequest(
                method: .post, scheme: "http", authority: "localhost:4566", path: "/tvm/identity/login",
                headerFields: [.contentType: "application/x-www-form-urlencoded"])
            let call = Call(
                request: Request(head: head, body: .cutOff()), peer: nil, isSecure: false, cloud: machine.cloud,
                names: HostNames())
            #expect(await machine.face.respond(to: call, machine: .identity, path: "/login").status == .badRequest)
        }
    }

    @Test("register a device once, by query or form")
    func registerDevice() async throws {
        try await VendingSandbox.run { tvm async throws in
            let fields: FormFields = ["uid": Self.other, "key": " \t\(Self.key)\n "]
            try expect(await tvm.send(.post, .anonymous, "/registerdevice", form: fields), 200, "")
            #expect(tvm.cloud.directory.vending.device(Self.other, of: .anonymous)?.key == Self.key)
            try expect(await tvm.send(.get, .anonymous, "/registerdevice", fields), 409, "null\r\n")
            try expect(await tvm.send(.get, .anonymous, "/registerdevice", ["uid": Self.device, "key": Self.key]), 409, "null\r\n")
            // Some parameters are in the query, some in the form. The servlet ignores the path after its name.
            let mixed = try await tvm.send(
                .post, .anonymous, "/registerdevice/now", ["uid": "a" + Self.other], form: ["key": Self.key, "uid": "x"])
            try expect(mixed, 200, "")
            #expect(mixed.journal.operation == "RegisterDevice")
        }
    }

    @Test(
        "refuse devices with missing or short names or keys",
        arguments: [
            [:], ["uid": other], ["key": other], ["uid": " ", "key": other], ["uid": String(other.dropLast()), "key": other],
            ["uid": other, "key": String(other.dropLast())], ["uid": other + "  ", "key": "   "],
        ] as [[String: String]])
    func shortDevices(parameters: [String: String]) async throws {
        try await VendingSandbox.run { tvm async throws in
            var fields: FormFields = [:]
            fields.fields = parameters.map { .init(name: $0.key, value: $0.value) }
            try expect(await tvm.send(.get, .anonymous, "/registerdevice", fields), 400, "null\r\n")
            // A body that is not a form has no parameters.
            try expect(await tvm.send(.post, .anonymous, "/registerdevice", form: fields, type: "text/plain"), 400, "null\r\n")
            #expect(tvm.cloud.directory.vending.device(Self.other, of: .anonymous) == nil)
        }
    }

    @Test("vend credentials to a device, for a day and under its policy")
    func anonymousToken() async throws {
        try await VendingSandbox.run { tvm async throws in
            let answer = try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key)
            #expect(answer.status == 200)
            #expect(answer.text.hasSuffix("\r\n"))
            #expect(answer["Content-Type"] == "text/plain; charset=UTF-8")
            let (session, expires) = try #require(try tvm.holder(of: answer, key: Self.key))
            #expect(session.credentials.holder == .federatedUser(name: Self.device, account: "000000000000", creator: nil))
            #expect(expires == session.credentials.expires)
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 86_400)
            #expect(session.credentials.sessionPolicies.first?.contains("arn:aws:s3:::notes/\(Self.device)/*") == true)
            #expect(try VendingSandbox.value("secretKey", in: answer, key: Self.key) == session.credentials.secretAccessKey)
            #expect(answer.journal.operation == "GetToken")
            #expect(answer.journal.caller == Self.device)
            #expect(answer.journal.decisions.map(\.action) == ["sts:GetFederationToken"])
        }
    }

    @Test(
        "accept a time up to a quarter of an hour off",
        arguments: [(-890, 200), (890, 200), (-910, 408), (910, 408)])
    func skew(seconds: Int, status: Int) async throws {
        try await VendingSandbox.run { tvm async throws in
            let time = tvm.cloud.clock.wall + .seconds(seconds)
            let answer = try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key, at: time)
            #expect(answer.status == status)
            if status == 408 { try expect(answer, 408, "Timestamp not valid\r\n") }
        }
    }

    @Test("accept only the SDK's format of a time")
    func timestamps() async throws {
        try await VendingSandbox.run { tvm async throws in
            let now = tvm.cloud.clock.wall
            let forms = [
                (now.iso8601Milliseconds, 200), (now.iso8601, 200), (now.basic, 408), (now.httpDate, 408), (String(now.seconds), 408),
                (now.iso8601.replacing("Z", with: "+00:00"), 408), ("yesterday", 408),
            ]
            for (text, status) in forms {
                let code = VendingSandbox.sign(text, Self.key)
                for signature in [code.hex, code.base64] {
                    let answer = try await tvm.send(
                        .get, .anonymous, "/gettoken", ["uid": Self.device, "timestamp": text, "signature": signature])
                    #expect(answer.status == status, "\(text)")
                }
            }
        }
    }

    @Test("refuse wrong signatures, unknown devices and missing parameters, in this order")
    func refusals() async throws {
        try await VendingSandbox.run { tvm async throws in
            try expect(await tvm.getToken(.anonymous, uid: Self.device, key: Self.other), 401, "Error matching signature\r\n")
            try expect(await tvm.getToken(.anonymous, uid: Self.other, key: Self.key), 401, "Error matching signature\r\n")
            // Each machine has its own devices.
            try expect(await tvm.getToken(.identity, uid: Self.device, key: Self.key), 401, "Error matching signature\r\n")
            for kind in VendingMachines.Kind.allCases {
                let incomplete = try await tvm.send(.get, kind, "/gettoken", ["uid": Self.device, "timestamp": tvm.timestamp])
                try expect(incomplete, 400, "null\r\n")
            }
            let late = try await tvm.send(.get, .anonymous, "/gettoken", ["uid": "x", "timestamp": "x", "signature": "x"])
            try expect(late, 408, "Timestamp not valid\r\n")
            #expect(late.journal.errorCode == "408")
        }
    }

    @Test("return a server error if the key cannot encrypt or STS refuses")
    func failures() async throws {
        try await VendingSandbox.run { tvm async throws in
            // A key that is long enough but not hexadecimal, and names that GetFederationToken refuses.
            for (uid, key) in [
                (Self.other, "g" + Self.other), (String(repeating: "u", count: 33), Self.key), (Self.other + "/*", Self.key),
            ] {
                try expect(await tvm.send(.get, .anonymous, "/registerdevice", ["uid": uid, "key": key]), 200, "")
                try expect(await tvm.getToken(.anonymous, uid: uid, key: key), 500, "Server Error\r\n")
            }
        }
        try await VendingSandbox.run(VendingSandbox.seed(account: "account: '000000000000', user: 'powerless'")) { tvm async throws in
            let answer = try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key)
            try expect(answer, 500, "Server Error\r\n")
            #expect(answer.journal.decisions.first?.allowed == false)
        }
    }

    @Test("call STS as the user that the seed names, who is the creator of the credentials")
    func user() async throws {
        try await VendingSandbox.run(VendingSandbox.seed(account: "account: '000000000000', user: 'vendor'")) { tvm async throws in
            let answer = try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key)
            let (session, _) = try #require(try tvm.holder(of: answer, key: Self.key))
            let vendor = try #require(tvm.cloud.directory.user("vendor", in: "000000000000"))
            #expect(
                session.credentials.holder
                    == .federatedUser(
                        name: Self.device, account: "000000000000", creator: .init(arn: vendor.arn, id: vendor.user.id)))
        }
    }

    @Test(
        "accept the login of a seeded user, however the client spells the endpoint",
        arguments: [
            "localhost", "localhost:4566", "localhost:4566/tvm/identity",
        ])
    func login(endpoint: String) async throws {
        try await VendingSandbox.run { tvm async throws in
            let answer = try await tvm.login(endpoint: endpoint)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.hasSuffix("\r\n"), "\(answer.text)")
            let hash = VendingSandbox.hash("alice", "secret1", endpoint)
            let key = try #require(try VendingSandbox.value("key", in: answer, key: String(hash.prefix(32))))
            #expect(key.utf8.count == 32)
            #expect([UInt8](hex: key) != nil)
            let token = try await tvm.getToken(.identity, uid: "tablet", key: key)
            let (session, _) = try #require(try tvm.holder(of: token, key: key))
            #expect(session.credentials.holder == .federatedUser(name: "alice", account: "000000000000", creator: nil))
            #expect(token.journal.caller == "alice")
            // Each login makes a new key and invalidates the old one.
            _ = try await tvm.login(endpoint: endpoint)
            try expect(await tvm.getToken(.identity, uid: "tablet", key: key), 401, "Error matching signature\r\n")
        }
    }

    @Test("refuse a login with a wrong password, name, time or device")
    func refusedLogins() async throws {
        try await VendingSandbox.run { tvm async throws in
            try expect(await tvm.login("alice", "secret2"), 401, "Error matching signature\r\n")
            try expect(await tvm.login("nobody"), 401, "Error matching signature\r\n")
            try expect(await tvm.login("ALICE"), 401, "Error matching signature\r\n")
            try expect(await tvm.login(endpoint: "elsewhere"), 401, "Error matching signature\r\n")
            try expect(await tvm.send(.get, .identity, "/login", ["username": "alice", "uid": "t"]), 400, "null\r\n")
            let late = try await tvm.send(
                .get, .identity, "/login", ["username": "alice", "uid": "t", "timestamp": "2013-08-13T04:33:00.000Z", "signature": "x"])
            try expect(late, 408, "Timestamp not valid\r\n")
            #expect(try await tvm.login(uid: "shared").status == 200)
            let registration = try await tvm.send(.post, .identity, "/registeruser", form: ["username": "bob", "password": "secret2"])
            #expect(registration.status == 200)
            try expect(await tvm.login("bob", "secret2", uid: "shared"), 401, "Error matching signature\r\n")
            #expect(try await tvm.login("bob", "secret2", uid: "own").status == 200)
        }
    }

    @Test("refuse registrations from a page of another origin")
    func foreignRegistration() async throws {
        try await VendingSandbox.run { tvm async throws in
            let form: FormFields = ["username": "mallory", "password": "secret9"]
            for origin in ["https://evil.example", "null"] {
                #expect(try await tvm.send(.post, .identity, "/registeruser", form: form, origin: origin).status == 403)
            }
            #expect(try await tvm.send(.post, .identity, "/registeruser", form: form, origin: "http://localhost:4566").status == 200)
        }
    }

    @Test("register users on a page, who then sign with the host they registered at")
    func registerUser() async throws {
        try await VendingSandbox.run { tvm async throws in
            let page = try await tvm.send(.post, .identity, "/registeruser", form: ["username": "Carl_1.x@y", "password": " secret3 "])
            #expect(page.status == 200)
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("Congratulations!"))
            for endpoint in ["localhost", "localhost:4566", "localhost:4566/tvm/identity"] {
                #expect(try await tvm.login("Carl_1.x@y", "secret3", endpoint: endpoint).status == 200)
            }
            // The stored password is a hash that depends on the host.
            for endpoint in ["127.0.0.1", "127.0.0.1:4566"] {
                #expect(
                    try await tvm.login("Carl_1.x@y", "secret3", endpoint: endpoint, authority: "127.0.0.1:4566").status == 401)
            }
            let again = try await tvm.send(.get, .identity, "/registeruser", ["username": "Carl_1.x@y", "password": "another"])
            #expect(again.status == 406)
            #expect(again.text.contains("There was an error with your Username/Password combination."))
            #expect(try await tvm.send(.get, .identity, "/registeruser", ["username": "alice", "password": "another"]).status == 406)
            guard case .hashes(let hashes) = tvm.cloud.directory.vending.user(named: "Carl_1.x@y")?.secret else {
                Issue.record("a registered person's password is kept as hashes")
                return
            }
            #expect(hashes.count == 3)
        }
    }

    @Test("use a machine's own host in the hashes")
    func ownHost() async throws {
        try await VendingSandbox.run { tvm async throws in
            let form: FormFields = ["username": "dora", "password": "secret4"]
            let authority = "Identity.TVM.localhost:4566"
            #expect(try await tvm.send(.post, .identity, "/registeruser", form: form, authority: authority, basePath: "").status == 200)
            #expect(
                try await tvm.login("dora", "secret4", endpoint: "identity.tvm.localhost:4566", authority: authority).status == 200)
        }
    }

    @Test(
        "refuse invalid names and passwords",
        arguments: [
            ("", "secret1"), ("bob", ""), ("bob", "    "), ("bo", "secret1"), ("bob", "12345"), ("bo b", "secret1"), ("bob-1", "secret1"),
            ("b*b", "secret1"), ("bob/..", "secret1"), (String(repeating: "b", count: 129), "secret1"),
            ("bob", String(repeating: "1", count: 129)),
        ])
    func badRegistrations(name: String, password: String) async throws {
        try await VendingSandbox.run { tvm async throws in
            let answer = try await tvm.send(.post, .identity, "/registeruser", form: ["username": name, "password": password])
            #expect(answer.status == 400)
            #expect(answer["Content-Type"] == "text/html; charset=utf-8")
            #expect(answer.journal.errorCode == "400")
        }
    }

    @Test("register names that STS refuses for federated users, but vend no credentials to them")
    func longNames() async throws {
        try await VendingSandbox.run { tvm async throws in
            for (name, status) in [(String(repeating: "n", count: 32), 200), (String(repeating: "n", count: 33), 500), ("é.é", 500)] {
                #expect(
                    try await tvm.send(.post, .identity, "/registeruser", form: ["username": name, "password": "secret5"]).status == 200)
                let answer = try await tvm.login(name, "secret5", uid: name)
                let hash = VendingSandbox.hash(name, "secret5", "localhost")
                let key = try #require(try VendingSandbox.value("key", in: answer, key: String(hash.prefix(32))))
                #expect(try await tvm.getToken(.identity, uid: name, key: key).status == status)
            }
        }
    }

    @Test("serve their pages, and 404 for other paths")
    func pages() async throws {
        try await VendingSandbox.run { tvm async throws in
            for kind in VendingMachines.Kind.allCases {
                let home = try await tvm.send(.get, kind, "/")
                let word = kind == .identity ? "Identity" : "Anonymous"
                #expect(home.status == 200)
                #expect(home.text.contains("Token Vending Machine is running with <b>\(word)</b> registration."))
                let bare = try await tvm.send(.get, kind, "")
                #expect(bare.status == 302)
                #expect(bare["Location"] == "/tvm/\(kind.rawValue)/")
                #expect(try await tvm.send(.get, kind, "/nothing").status == 404)
                #expect(try await tvm.send(.put, kind, "/gettoken").status == 405)
            }
            let form = try await tvm.send(.get, .identity, "/register.jsp")
            #expect(form.status == 200)
            #expect(form.text.contains("action=\"registeruser\" method=\"post\""))
            for path in ["/registeruser", "/login", "/register.jsp"] { #expect(try await tvm.send(.get, .anonymous, path).status == 404) }
            #expect(try await tvm.send(.get, .identity, "/registerdevice").status == 404)
        }
    }

    @Test("apply fault rules")
    func faults() async throws {
        try await VendingSandbox.run { tvm async throws in
            _ = tvm.cloud.faults.add(
                FaultRule(service: "tvm", action: "GetToken", caller: Self.device, failure: .init(code: "ServiceUnavailable")))
            try expect(await tvm.getToken(.anonymous, uid: Self.device, key: Self.key), 503, "null\r\n")
            #expect(try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key).status == 200)
            _ = tvm.cloud.faults.add(
                FaultRule(service: "tvm", action: "Login", failure: .init(code: "x", status: 408, message: "Later")))
            try expect(await tvm.login(), 408, "Later\r\n")
            #expect(tvm.cloud.directory.vending.device("tablet", of: .identity) == nil)
        }
    }

    @Test("apply fault rules of STS, with their own error format")
    func faultsOfSTS() async throws {
        try await VendingSandbox.run { tvm async throws in
            _ = tvm.cloud.faults.add(
                FaultRule(service: "sts", action: "GetFederationToken", failure: .init(code: "Throttling", status: 400)))
            try expect(await tvm.getToken(.anonymous, uid: Self.device, key: Self.key), 500, "Server Error\r\n")
            #expect(try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key).status == 200)
            _ = tvm.cloud.faults.add(FaultRule(service: "sts", action: "AssumeRole", failure: .init(code: "Throttling")))
            #expect(try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key).status == 200)
        }
    }

    @Test("forget registrations at a reset")
    func storage() async throws {
        try await VendingSandbox.run { tvm async throws in
            _ = try await tvm.send(.get, .anonymous, "/registerdevice", ["uid": Self.other, "key": Self.key])
            #expect(try await tvm.getToken(.anonymous, uid: Self.other, key: Self.key).status == 200)
            try await tvm.cloud.reset()
            #expect(try await tvm.getToken(.anonymous, uid: Self.other, key: Self.key).status == 401)
            #expect(try await tvm.getToken(.anonymous, uid: Self.device, key: Self.key).status == 200)
        }
    }
}
