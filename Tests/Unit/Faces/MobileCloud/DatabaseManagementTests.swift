import Calls
import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The Database Management API")
struct DatabaseManagementTests {
    private static let path = "/mobile/system/databaseManagement/tables"
    private static let rows = "/mobile/platform/database/objects"

    /// A definition as in the examples of the reference.
    private static let movies = """
        {"name": "Movies", "columns": [{"name": "title", "type": "string", "size": 50}, {"name": "year", "type": "integer", "size": 4},
         {"name": "inTheaters", "type": "boolean"}, {"name": "releaseDate", "type": "dateTime"},
         {"name": "gross", "type": "decimal", "size": 5, "subSize": 2}],
         "primaryKeys": ["year", "title"], "requiredColumns": ["gross"]}
        """

    private static func sandbox(policy: String = "explicitOnly", _ test: (MobileSandbox, HTTPFields) async throws -> Void) async throws {
        try await MobileSandbox.run(
            """
            backends: [{name: "app"}], realms: [{name: "Default", users: [{username: "erika", password: "e"}]}],
            teamMembers: [{name: "sven", password: "s:p", roles: ["Mobile_DbMgmt"]}, {name: "lena", password: "l"}],
            policies: {Database_CreateTablesPolicy: "\(policy)"}
            """
        ) { mobile async throws in try await test(mobile, .basic("sven:s:p", try mobile.backend())) }
    }

    private static func extra(_ names: String, _ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        fields[HTTPField.Name(literal: "Oracle-Mobile-Extra-Fields")] = names
        return fields
    }

    @Test("describes the tables that rows created, with the sizes of their values")
    func implicit() async throws {
        try await Self.sandbox(policy: "allow") { mobile, team async throws in
            #expect(try await mobile.get(Self.path, team).json == [])
            let code = Self.extra("id", try mobile.customCode(user: "erika"))
            _ = try await mobile.send(
                .post, "\(Self.rows)/MY_CUSTOMER",
                #"[{"vehiclenum": "KA-123", "customernum": 123, "open": true, "paid": 1.5, "left": null}]"#, fields: code)
            _ = try await mobile.send(
                .post, "\(Self.rows)/MY_CUSTOMER",
                #"[{"vehiclenum": "K", "customernum": 1234567, "open": false, "paid": 20, "left": null}]"#, fields: code)
            let table: JSONValue = [
                "name": "MY_CUSTOMER", "primaryKeys": ["id"], "requiredColumns": ["id"],
                "columns": [
                    ["name": "id", "type": "decimal"], ["name": "vehiclenum", "size": 6, "type": "string"],
                    ["name": "customernum", "size": 7, "type": "integer"], ["name": "open", "type": "boolean"],
                    ["name": "paid", "type": "decimal"], ["name": "left", "type": "string"],
                ],
            ]
            #expect(try await mobile.get("\(Self.path)/MY_CUSTOMER", team).json == table)
            #expect(try await mobile.get(Self.path, team).json == [table])
            let missing = try await mobile.get("\(Self.path)/my_customer", team)
            #expect(missing.status == 404)
            #expect(missing.errorCode == MobileErrorKind.unknownResource.code)
        }
    }

    @Test("creates tables, whose rows follow the definition")
    func creates() async throws {
        try await Self.sandbox { mobile, team async throws in
            let made = try await mobile.send(.post, Self.path, Self.movies, fields: Self.extra("createdBy,modifiedOn", team))
            #expect(made.status == 201)
            #expect(made["name"] == "Movies")
            #expect(made.json["primaryKeys"] == ["year", "title"])
            #expect(made.entry.operation == "CreateTable")
            #expect(made.entry.caller == "sven")
            let read = try await mobile.get("\(Self.path)/Movies", team)
            // A read returns the columns of the key in alphabetical order.
            #expect(read.json["primaryKeys"] == ["title", "year"])
            #expect(read.json["requiredColumns"] == ["title", "year", "gross"])
            #expect(
                read.json["columns"] == [
                    ["name": "title", "size": 50, "type": "string"], ["name": "year", "size": 4, "type": "integer"],
                    ["name": "inTheaters", "type": "boolean"], ["name": "releaseDate", "type": "dateTime"],
                    ["name": "gross", "size": 5, "subSize": 2, "type": "decimal"], ["name": "createdBy", "type": "string"],
                    ["name": "modifiedOn", "type": "dateTime"],
                ])
            let again = try await mobile.send(.post, Self.path, Self.movies, fields: team)
            #expect(again.status == 409)
            #expect(again.errorCode == MobileErrorKind.conflict.code)

            let code = try mobile.customCode(user: "erika")
            for (row, status) in [
                (#"{"title": "Up", "year": 2009, "gross": 735.1, "inTheaters": false, "releaseDate": "2009-05-29T00:00:00Z"}"#, 201),
                (#"{"title": "Up", "year": 2010.0, "gross": 1}"#, 201), (#"{"title": "Up", "year": 20100, "gross": 1}"#, 400),
                (#"{"title": "Up", "year": 2011, "gross": 1000}"#, 400), (#"{"title": "Up", "year": 2011, "gross": 1000.5}"#, 400),
                (#"{"title": "Up", "year": 2011}"#, 400), (#"{"title": "Up", "year": 2011, "gross": null}"#, 400),
                (#"{"title": "Up", "year": 2011.5, "gross": 1}"#, 400), (#"{"title": "Up", "year": 2011, "gross": "1"}"#, 400),
                (#"{"title": "Up", "year": 2011, "gross": 1, "releaseDate": "May"}"#, 400),
                (#"{"title": "Up", "year": 2011, "gross": 1, "inTheaters": 1}"#, 400),
                (#"{"title": "\#(String(repeating: "U", count: 51))", "year": 2011, "gross": 1}"#, 400),
                (#"{"title": "Up", "year": 2011, "gross": 1, "length": 1}"#, 400),
            ] {
                #expect(try await mobile.send(.post, "\(Self.rows)/Movies", row, fields: code).status == status, "\(row)")
            }
            #expect(try await mobile.get("\(Self.rows)/Movies/2009/Up?fields=createdBy", code).json == ["items": [["createdBy": "erika"]]])
            let emptied = try await mobile.send(
                .put, "\(Self.rows)/Movies", #"{"title": "Up", "year": 2009, "gross": null}"#, fields: code)
            #expect(emptied.status == 400)
            #expect(emptied["detail"] == "A row has no value of gross, which is required.")
        }
    }

    @Test("numbers the rows of tables without a key, and extends columns if the policy allows it")
    func grows() async throws {
        try await Self.sandbox(policy: "allow") { mobile, team async throws in
            let body =
                #"{"name": "T", "columns": [{"name": "a", "type": "string", "size": 2}, {"name": "n", "type": "integer", "size": 1}]}"#
            #expect(try await mobile.send(.post, Self.path, body, fields: team).status == 201)
            let code = try mobile.customCode(user: "erika")
            let row = try await mobile.send(.post, "\(Self.rows)/T", #"{"a": "four", "n": 10.5, "new": true}"#, fields: code)
            #expect(row.status == 201)
            #expect(row.json == ["items": [["id": 1]]])
            let columns = try await mobile.get("\(Self.path)/T", team).json["columns"]?.arrayValue ?? []
            #expect(columns.map { $0["name"] } == ["id", "a", "n", "new", "createdBy", "createdOn", "modifiedBy", "modifiedOn"])
            #expect(columns[1]["size"] == 4)
            #expect(columns[2] == ["name": "n", "type": "decimal"])
            #expect(columns[3]["type"] == "boolean")
        }
    }

    @Test("replaces a table and removes its rows, or creates it")
    func replaces() async throws {
        try await Self.sandbox { mobile, team async throws in
            let put = try await mobile.send(.put, "\(Self.path)/Movies", Self.movies, fields: team)
            #expect(put.status == 200)
            #expect(put["name"] == "Movies")
            let code = try mobile.customCode(user: "erika")
            let row = #"{"title": "Up", "year": 2009, "gross": 1}"#
            #expect(try await mobile.send(.post, "\(Self.rows)/Movies", row, fields: code).status == 201)
            let other = #"{"columns": [{"name": "a", "type": "string"}], "primaryKeys": null}"#
            #expect(try await mobile.send(.put, "\(Self.path)/Movies", other, fields: Self.extra("none", team)).status == 200)
            #expect(try await mobile.get("\(Self.rows)/Movies", code).json == ["items": []])
            #expect(
                try await mobile.get("\(Self.path)/Movies", team).json == [
                    "name": "Movies", "primaryKeys": [], "requiredColumns": [], "columns": [["name": "a", "type": "string"]],
                ])
            #expect(try await mobile.send(.put, "\(Self.path)/Films", Self.movies, fields: team).status == 400)
        }
    }

    @Test("removes tables with their rows")
    func removes() async throws {
        try await Self.sandbox(policy: "allow") { mobile, team async throws in
            let code = try mobile.customCode(user: "erika")
            for table in ["A", "B"] { _ = try await mobile.send(.post, "\(Self.rows)/\(table)", #"{"a": 1}"#, fields: code) }
            let removed = try await mobile.send(.delete, "\(Self.path)/A", fields: team)
            #expect(removed.status == 204)
            #expect(removed.bytes.isEmpty)
            #expect(try await mobile.send(.delete, "\(Self.path)/A", fields: team).status == 404)
            #expect(try await mobile.get("\(Self.rows)/A", code).status == 404)
            #expect(try await mobile.get(Self.path, team).json.arrayValue?.map { $0["name"] } == ["B"])
            #expect(try await mobile.send(.post, "\(Self.rows)/A", #"{"a": 1}"#, fields: code).json == ["items": [["id": 1]]])
        }
    }

    @Test("stores indexes by their names")
    func indexes() async throws {
        try await Self.sandbox { mobile, team async throws in
            #expect(try await mobile.send(.post, Self.path, Self.movies, fields: team).status == 201)
            let body = #"{"columns": ["inTheaters", "releaseDate"], "name": "release"}"#
            let index: JSONValue = ["name": "release", "columns": ["inTheaters", "releaseDate"]]
            let made = try await mobile.send(.post, "\(Self.path)/Movies/indexes", body, fields: team)
            #expect(made.status == 201)
            #expect(made.json == index)
            let again = try await mobile.send(.post, "\(Self.path)/Movies/indexes", body, fields: team)
            #expect(again.status == 409)
            #expect(again["detail"] == "The index already exists. To modify the index, delete it and then create it again.")
            #expect(try await mobile.get("\(Self.path)/Movies", team).json["indexes"] == [index])
            for (body, status) in [
                (#"{"name": "x", "columns": ["none"]}"#, 400), (#"{"name": "x", "columns": []}"#, 400), (#"{"columns": ["title"]}"#, 400),
                (#"{"name": "x", "columns": ["title", "title"]}"#, 400), (#"{"name": "x", "columns": [1]}"#, 400), ("[]", 400), ("", 400),
            ] {
                #expect(try await mobile.send(.post, "\(Self.path)/Movies/indexes", body, fields: team).status == status, "\(body)")
            }
            #expect(try await mobile.send(.post, "\(Self.path)/None/indexes", body, fields: team).status == 404)
            #expect(try await mobile.send(.delete, "\(Self.path)/Movies/indexes/none", fields: team).status == 404)
            let removed = try await mobile.send(.delete, "\(Self.path)/Movies/indexes/release", fields: team)
            #expect(removed.status == 204)
            #expect(try await mobile.send(.delete, "\(Self.path)/Movies/indexes/release", fields: team).status == 404)
            #expect(try await mobile.get("\(Self.path)/Movies", team).json["indexes"] == nil)
        }
    }

    @Test(
        "validates definitions",
        arguments: [
            "", "[]", "{", #"{"columns": []}"#, #"{"name": "", "columns": [{"name": "a", "type": "string"}]}"#,
            #"{"name": "T", "columns": [{"name": "a"}]}"#, #"{"name": "T", "columns": [{"name": "a", "type": "text"}]}"#,
            #"{"name": "T", "columns": [{"type": "string"}]}"#, #"{"name": "T", "columns": [{"name": "", "type": "string"}]}"#,
            #"{"name": "T", "columns": {}}"#, #"{"name": "T", "columns": [{"name": "a", "type": "string", "size": 4001}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string", "size": 0}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string", "size": "5"}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "boolean", "size": 1}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "decimal", "size": 39}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "decimal", "size": 3, "subSize": 4}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "decimal", "subSize": 4}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string"}, {"name": "a", "type": "integer"}]}"#,
            #"{"name": "T", "columns": [{"name": "createdOn", "type": "dateTime"}]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string"}], "primaryKeys": ["b"]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string"}], "primaryKeys": ["a", "a"]}"#,
            #"{"name": "T", "columns": [{"name": "a", "type": "string"}], "requiredColumns": ["b"]}"#,
        ])
    func malformed(_ body: String) async throws {
        try await Self.sandbox { mobile, team async throws in
            let answer = try await mobile.send(.post, Self.path, body, fields: team)
            #expect(answer.status == 400)
            #expect(answer.errorCode == MobileErrorKind.malformedRequest.code)
            #expect(try await mobile.get(Self.path, team).json == [])
        }
    }

    @Test("refuses to create, replace and remove tables if the environment's policy forbids it", arguments: ["none", "implicitOnly"])
    func policies(_ policy: String) async throws {
        try await Self.sandbox { mobile, team async throws in
            #expect(try await mobile.send(.post, Self.path, Self.movies, fields: team).status == 201)
            try await mobile.setPolicy("Database_CreateTablesPolicy", policy)
            for answer in [
                try await mobile.send(.post, Self.path, Self.movies, fields: team),
                try await mobile.send(.put, "\(Self.path)/Movies", Self.movies, fields: team),
                try await mobile.send(.delete, "\(Self.path)/Movies", fields: team),
            ] {
                #expect(answer.status == 403)
                #expect(answer.errorCode == MobileErrorKind.forbidden.code)
            }
            #expect(try await mobile.get("\(Self.path)/Movies", team).status == 200)
        }
    }

    @Test("requires a team member with the role")
    func callers() async throws {
        try await Self.sandbox { mobile, team async throws in
            let backend = try mobile.backend()
            let unknown = try await mobile.get(Self.path)
            #expect(unknown.status == 401)
            #expect(unknown.errorCode == MobileErrorKind.notAuthenticated.code)
            #expect(unknown.fields[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
            var noBackend = team
            noBackend[.backendID] = nil
            var otherBackend = team
            otherBackend[.backendID] = "none"
            for (fields, kind) in [
                (HTTPFields.basic("sven:wrong", backend), MobileErrorKind.invalidCredentials),
                (.basic("nobody:s:p", backend), .invalidCredentials),
                (.basic("lena:l", backend), .roleRequired), (.basic("erika:e", backend), .forbidden), (.anonymous(backend), .forbidden),
                (.bearer(try await mobile.token("erika")), .forbidden), (.bearer("x.y.z"), .invalidToken),
                (try mobile.customCode(user: "erika"), .forbidden), (noBackend, .missingBackendID), (otherBackend, .unknownBackend),
            ] {
                for (method, path) in [
                    (HTTPRequest.Method.get, Self.path), (.post, Self.path), (.get, "\(Self.path)/T"), (.put, "\(Self.path)/T"),
                    (.delete, "\(Self.path)/T"), (.post, "\(Self.path)/T/indexes"), (.delete, "\(Self.path)/T/indexes/i"),
                ] {
                    let answer = try await mobile.send(method, path, fields: fields)
                    #expect(answer.errorCode == kind.code, "\(method) \(path)")
                    #expect(answer.json["status"] == .integer(Int64(kind.status.code)), "\(method) \(path)")
                }
            }
            // A team member is not a user of a realm.
            #expect(try await mobile.get("/mobile/platform/users/~", team).status == 401)
        }
    }
}
