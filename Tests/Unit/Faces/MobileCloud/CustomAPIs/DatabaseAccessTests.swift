import Calls
import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("The Database Access API (R128)")
struct DatabaseAccessTests {
    private static let path = "/mobile/platform/database/objects"

    private static func sandbox(
        policy: String? = "allow", rows: Int = 1000, _ test: (MobileSandbox, HTTPFields) async throws -> Void
    ) async throws {
        let policies = "Database_MaxRows: \"\(rows)\"" + (policy.map { ", Database_CreateTablesPolicy: \"\($0)\"" } ?? "")
        try await MobileSandbox.run(
            "backends: [{name: \"app\"}], realms: [{name: \"Default\", users: [{username: \"erika\"}]}], policies: {\(policies)}"
        ) { mobile async throws in
            try await test(mobile, try mobile.customCode(user: "erika"))
        }
    }

    private static func keyed(_ keys: String, extra: String? = nil, _ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        fields[HTTPField.Name(literal: "Oracle-Mobile-Primary-Keys")] = keys
        if let extra { fields[HTTPField.Name(literal: "Oracle-Mobile-Extra-Fields")] = extra }
        return fields
    }

    @Test("creates a table from its first rows and gives each an id")
    func numbered() async throws {
        try await Self.sandbox { mobile, code async throws in
            let made = try await mobile.send(
                .post, "\(Self.path)/Orders", #"[{"item": "pump", "count": 2}, {"item": "hose", "count": 1.5}]"#, fields: code)
            #expect(made.status == 201)
            #expect(made.json == ["items": [["id": 1], ["id": 2]]])
            let all = try await mobile.get("\(Self.path)/Orders", code)
            let first = try #require(all.json["items"]?.arrayValue?.first)
            #expect(first["item"] == "pump")
            #expect(first["id"] == 1)
            #expect(first["createdBy"] == "erika")
            #expect(first["modifiedBy"] == "erika")
            #expect(first["createdOn"]?.stringValue.flatMap(Timestamp.init(iso8601:)) != nil)
            let one = try await mobile.get("\(Self.path)/Orders/2?fields=count,item", code)
            #expect(one.json == ["items": [["count": 1.5, "item": "hose"]]])
            #expect(try await mobile.get("\(Self.path)/Orders/3", code).json == ["items": []])
            let gone = try await mobile.send(.delete, "\(Self.path)/Orders/1", fields: code)
            #expect(gone.status == 200)
            #expect(gone.json == ["items": [["id": 1]]])
            #expect(try await mobile.send(.delete, "\(Self.path)/Orders/1", fields: code).json == ["items": []])
            // A number is not reused.
            #expect(try await mobile.send(.post, "\(Self.path)/Orders", #"{"item": "x"}"#, fields: code).json == ["items": [["id": 3]]])
        }
    }

    @Test("lists rows by number and by the values of columns")
    func filters() async throws {
        try await Self.sandbox(rows: 3) { mobile, code async throws in
            let rows = (1...12).map { #"{"n": \#($0), "even": \#($0 % 2 == 0), "name": "row \#($0)"}"# }.joined(separator: ",")
            _ = try await mobile.send(.post, "\(Self.path)/T", "[\(rows)]", fields: code)
            func found(_ query: String) async throws -> [Int64?] {
                try await mobile.get("\(Self.path)/T?\(query)", code).json["items"]?.arrayValue?.map { $0["n"]?.integerValue } ?? []
            }
            // At most as many as the environment's policy allows.
            #expect(try await found("") == [1, 2, 3])
            #expect(try await found("n=11") == [11])
            #expect(try await found("n=11.0&even=false") == [11])
            #expect(try await found("even=true&fields=n") == [2, 4, 6])
            #expect(try await found("name=row+10") == [10])
            #expect(try await found("createdBy=max") == [])
            #expect(try await mobile.get("\(Self.path)/T?none=1", code).errorCode == MobileErrorKind.malformedRequest.code)
            #expect(try await mobile.get("\(Self.path)/T?fields=none", code).errorCode == MobileErrorKind.malformedRequest.code)
        }
    }

    @Test("finds rows by their primary key")
    func keyed() async throws {
        try await Self.sandbox { mobile, code async throws in
            let fields = Self.keyed("title%2Cyear", code)
            let made = try await mobile.send(
                .post, "\(Self.path)/Movies", #"[{"title": "Annie/1", "year": 2014, "gross": 1}]"#, fields: fields)
            #expect(made.status == 201)
            #expect(made.json == ["rowCount": 1])
            let row = try await mobile.get("\(Self.path)/Movies/Annie%2F1/2014", code)
            let item = try #require(row.json["items"]?.arrayValue?.first)
            #expect(item["gross"] == 1)
            #expect(item["id"] == nil)
            #expect(item["createdBy"] == "erika")
            #expect(
                try await mobile.send(.post, "\(Self.path)/Movies", #"{"title": "Annie/1", "year": 2014}"#, fields: code).errorCode
                    == MobileErrorKind.conflict.code)
            let merged = try await mobile.send(
                .put, "\(Self.path)/Movies", #"[{"title": "Annie/1", "year": 2014, "gross": 2}, {"title": "B", "year": 1, "gross": 3}]"#,
                fields: code)
            #expect(merged.status == 200)
            #expect(merged.json == ["rowCount": 2])
            #expect(
                try await mobile.get("\(Self.path)/Movies?fields=title,gross", code).json
                    == ["items": [["title": "Annie/1", "gross": 2], ["title": "B", "gross": 3]]])
            for path in ["Movies/Annie", "Movies/a/b/c"] {
                #expect(try await mobile.get("\(Self.path)/\(path)", code).status == 400)
            }
            #expect(try await mobile.send(.post, "\(Self.path)/Movies", #"{"title": "C"}"#, fields: code).status == 400)
            #expect(try await mobile.send(.delete, "\(Self.path)/Movies/B/1", fields: code).json == ["rowCount": 1])
            #expect(try await mobile.send(.delete, "\(Self.path)/Movies/B/1", fields: code).json == ["rowCount": 0])
        }
    }

    @Test("updates rows by their id, and keeps columns that an update does not name")
    func merges() async throws {
        try await Self.sandbox { mobile, code async throws in
            _ = try await mobile.send(.put, "\(Self.path)/T", #"{"a": 1, "b": "x"}"#, fields: code)
            let vera = try mobile.customCode(.virtual(name: "vera", issuer: "i"))
            #expect(try await mobile.send(.put, "\(Self.path)/T", #"{"id": 1, "a": 2}"#, fields: vera).json == ["items": [["id": 1]]])
            let row = try #require(try await mobile.get("\(Self.path)/T/1", code).json["items"]?.arrayValue?.first)
            #expect(row["a"] == 2)
            #expect(row["b"] == "x")
            #expect(row["createdBy"] == "erika")
            #expect(row["modifiedBy"] == "vera")
            let missing = try await mobile.send(.put, "\(Self.path)/T", #"{"id": 9, "a": 2}"#, fields: code)
            #expect(missing.status == 404)
            #expect(missing.errorCode == MobileErrorKind.unknownResource.code)
        }
    }

    @Test("adds the predefined columns that the request names")
    func predefined() async throws {
        try await Self.sandbox { mobile, code async throws in
            let fields = Self.keyed("code", extra: "createdOn", code)
            _ = try await mobile.send(.post, "\(Self.path)/A", #"{"code": "x", "id": 7}"#, fields: fields)
            let row = try #require(try await mobile.get("\(Self.path)/A/x", code).json["items"]?.arrayValue?.first?.objectValue)
            #expect(Set(row.names) == ["code", "id", "createdOn"])
            #expect(row["id"] == 7)

            var none = code
            none[HTTPField.Name(literal: "Oracle-Mobile-Extra-Fields")] = "none"
            #expect(try await mobile.send(.post, "\(Self.path)/B", #"{"a": 1}"#, fields: none).json == ["rowCount": 1])
            #expect(try await mobile.get("\(Self.path)/B", code).json == ["items": [["a": 1]]])
            #expect(try await mobile.get("\(Self.path)/B/1", code).status == 400)
            none[HTTPField.Name(literal: "Oracle-Mobile-Extra-Fields")] = "none,id"
            #expect(try await mobile.send(.post, "\(Self.path)/C", #"{"a": 1}"#, fields: none).status == 400)
            for keys in ["a,a", "a,b,c,d,e"] {
                #expect(try await mobile.send(.post, "\(Self.path)/C", #"{"a": 1}"#, fields: Self.keyed(keys, code)).status == 400)
            }
            #expect(try await mobile.get("\(Self.path)/C", code).status == 404)
        }
    }

    struct Body: Sendable {
        var text: String
        var status: Int
    }

    @Test(
        "accepts rows of one type with plain values",
        arguments: [
            Body(text: "", status: 400), Body(text: "7", status: 400), Body(text: "[]", status: 400), Body(text: "{}", status: 400),
            Body(text: "[1]", status: 400), Body(text: #"{"a": {}}"#, status: 400), Body(text: #"{"a": "text"}"#, status: 400),
            Body(text: #"[{"a": 3}, {"b": 3}]"#, status: 400), Body(text: #"{"a": null}"#, status: 201),
            Body(text: #"{"a": 5, "new": true}"#, status: 201),
            Body(text: "{\"b\": \"\(String(repeating: "é", count: 4000))\"}", status: 201),
            Body(text: "{\"b\": \"\(String(repeating: "é", count: 4001))\"}", status: 400),
        ])
    func values(_ body: Body) async throws {
        try await Self.sandbox { mobile, code async throws in
            _ = try await mobile.send(.post, "\(Self.path)/T", #"{"a": 1}"#, fields: code)
            let answer = try await mobile.send(.post, "\(Self.path)/T", body.text, fields: code)
            #expect(answer.status == body.status)
            let count = try await mobile.get("\(Self.path)/T", code).json["items"]?.arrayValue?.count
            #expect(count == (body.status == 201 ? 2 : 1))
        }
    }

    @Test("creates no tables and columns unless the environment's policy allows it", arguments: [nil, "explicitOnly", "none"])
    func policy(_ policy: String?) async throws {
        try await Self.sandbox(policy: policy) { mobile, code async throws in
            let table = try await mobile.send(.post, "\(Self.path)/T", #"{"a": 1}"#, fields: code)
            #expect(table.status == 404)
            #expect(table.errorCode == MobileErrorKind.unknownResource.code)
            var environment = mobile.cloud.directory.mobile.environment
            environment.policies["Database_CreateTablesPolicy"] = "implicitOnly"
            let open = environment
            try await mobile.cloud.edit { $0.put(.mobile(.environment(open))) }
            #expect(try await mobile.send(.post, "\(Self.path)/T", #"{"a": 1}"#, fields: code).status == 201)
            environment.policies["Database_CreateTablesPolicy"] = policy
            let closed = environment
            try await mobile.cloud.edit { $0.put(.mobile(.environment(closed))) }
            #expect(try await mobile.send(.post, "\(Self.path)/T", #"{"a": 2}"#, fields: code).status == 201)
            #expect(try await mobile.send(.post, "\(Self.path)/T", #"{"b": 2}"#, fields: code).status == 400)
        }
    }

    @Test("lists as many rows as the environment's policy allows, with a default", arguments: ["-1", "1", "many"])
    func most(rows: String) async throws {
        try await Self.sandbox(policy: "implicitOnly") { mobile, code async throws in
            for number in 1...2 { _ = try await mobile.send(.post, "\(Self.path)/T", #"{"a": \#(number)}"#, fields: code) }
            try await mobile.setPolicy("Database_MaxRows", rows)
            let listed = try await mobile.get("\(Self.path)/T?fields=", code).json["items"]?.arrayValue
            #expect(listed?.count == (rows == "1" ? 1 : 2))
            #expect(listed?.first?["a"] == 1)
        }
    }

    @Test("can be called only by custom code, for any caller")
    func callers() async throws {
        try await Self.sandbox { mobile, code async throws in
            #expect(try await mobile.get("\(Self.path)/T").status == 401)
            let social = MobileCaller.SocialUser(provider: "facebook", id: "12", accessToken: "t")
            for fields in [try mobile.customCode(), try mobile.customCode(.social(social))] {
                #expect(try await mobile.send(.post, "\(Self.path)/T", #"{"a": 1}"#, fields: fields).status == 201)
            }
            let authors = try await mobile.get("\(Self.path)/T?fields=createdBy", code)
            #expect(authors.json == ["items": [["createdBy": nil], ["createdBy": "facebook/12"]]])
            #expect(try await mobile.send(.delete, "\(Self.path)/T", fields: code).fields[.allow] != nil)
            #expect(try await mobile.send(.put, "\(Self.path)/T/1", "{}", fields: code).status == 405)
            #expect(try await mobile.get("/mobile/platform/database/sql", code).status == 404)
            try await mobile.cloud.reset()
            #expect(try await mobile.get("\(Self.path)/T", try mobile.customCode()).status == 404)
        }
    }
}
