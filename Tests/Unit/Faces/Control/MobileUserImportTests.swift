import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("The import of mobile users")
struct MobileUserImportTests {
    private static let mobile = """
        roles: ["Technician", "Manager"], realms: [{name: "Default", users: [{username: "joe", email: "joe@example.com"}]}]
        """
    private static let path = "/mobile/realms/Default(1.0)/users"

    private func run(_ test: (ControlSandbox) async throws -> Void) async throws { try await ControlSandbox.run(mobile: Self.mobile, test) }

    private func realm(_ control: ControlSandbox) throws -> Realm {
        try #require(control.cloud.directory.mobile.realms["Default(1.0)"])
    }

    @Test("adds each line of a CSV file (R97)")
    func lines() async throws {
        try await run { control async throws in
            let file =
                "First Name,Last Name,Email,User Login,Password,Roles\r\n"
                + "Ann,\"Archer, Dr. \"\"A\"\"\",ann@example.com,ann,secret,Technician; Manager\r\n\r\nBob,Baker,bob@example.com,,,\r\n"
            let made = try await control.send(.post, Self.path, file)
            #expect(made.status == 201)
            #expect(made.json["users"]?.arrayValue?.count == 2)
            let ann = try #require(try realm(control).user(named: "ann"))
            #expect(ann.lastName == "Archer, Dr. \"A\"")
            #expect(ann.password == "secret")
            #expect(ann.roles == ["Technician", "Manager"])
            let bob = try #require(try realm(control).user(named: "bob@example.com"))
            #expect(bob.password == nil)
            #expect(bob.roles.isEmpty)
            #expect(bob.id.count == 36)
            #expect(bob.id != ann.id)
            #expect(try realm(control).users.count == 3)
        }
    }

    @Test("adds no users if a line is wrong, and names each wrong line")
    func faults() async throws {
        try await run { control async throws in
            let file = """
                First Name,Last Name,Email,User Login,Roles
                Ann,Archer,ann@example.com,ann,
                ,Baker,bob@example.com,bob,
                Cat,Cook,cat.example.com,cat,
                Dan,Drake,dan@example.com
                Eve,Ellis,eve@example.com,ann,
                Fay,Frost,JOE@example.com,fay,
                Gil,Gray,gil@example.com,gil,Pilot

                """
            let refused = try await control.send(.post, Self.path, file)
            #expect(refused.status == 400)
            #expect(refused.error == "malformed_users")
            let lines = try #require(refused.json["lines"]?.arrayValue)
            #expect(lines.map { $0["line"] } == [3, 4, 5, 6, 7, 8])
            #expect(lines.first?["message"] == "First Name must have a value.")
            #expect(lines.last?["message"] == "There is no mobile user role 'Pilot'.")
            #expect(try realm(control).users.map(\.username) == ["joe"])
        }
    }

    @Test(
        "requires the headings and balanced quotation marks",
        arguments: [
            ("", 1), ("First Name,Last Name\n", 1), ("Email,First Name,Last Name,Shoe Size\n", 1),
            ("First Name,Last Name,Email\nAnn,Ar\"cher,a@b\n", 2), ("First Name,Last Name,Email\nAnn,\"Archer,a@b\n", 2),
            ("First Name,Last Name,Email\nAnn,\"Archer\"x,a@b\n", 2),
        ])
    func syntax(file: String, line: Int64) async throws {
        try await run { control async throws in
            let refused = try await control.send(.post, Self.path, file)
            #expect(refused.status == 400)
            #expect(refused.json["lines"]?.arrayValue?.map { $0["line"]?.integerValue } == [line])
        }
    }

    @Test("requires an existing realm")
    func unknown() async throws {
        try await run { control async throws in
            let file = "First Name,Last Name,Email\nAnn,Archer,a@b\n"
            #expect(try await control.send(.post, "/mobile/realms/None(1.0)/users", file).error == "unknown_realm")
            #expect(try await control.send(.put, Self.path, file).status == 405)
        }
    }
}
