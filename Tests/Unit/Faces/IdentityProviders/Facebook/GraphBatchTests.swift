import Cloud
import Federation
import HTTPTypes
import Testing
import WireFormats

@Suite("Batches of Facebook's Graph API")
struct GraphBatchTests {
    private func batch(_ calls: JSONValue, _ further: FormFields = [:], at path: String = "facebook/v19.0/") async throws -> Answer {
        let visitor = Visitor(try await Visitor.sandbox())
        let order = TokenOrder(provider: "facebook", user: "alice")
        let token = try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin).token
        return try await visitor.post(path, further.with(["access_token": token, "batch": calls.serialized()]))
    }

    private func body(_ answer: Answer, _ index: Int) throws -> JSONValue {
        let answers = try #require(answer.json.arrayValue)
        return try JSONValue(parsing: try #require(answers[index]["body"]?.stringValue))
    }

    @Test("each call has its own status, headers and body")
    func calls() async throws {
        let answer = try await batch([
            ["method": "GET", "relative_url": "me?fields=name"], ["relative_url": "nobody"],
            ["method": "DELETE", "relative_url": "me/permissions/email"],
        ])
        #expect(answer.status == 200)
        #expect(answer.json.arrayValue?.count == 3)
        #expect(answer.json.arrayValue?[0]["code"] == 200)
        #expect(try body(answer, 0)["name"] == "Alice Archer")
        let names = answer.json.arrayValue?[0]["headers"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(names.contains("facebook-api-version"))
        #expect(answer.json.arrayValue?[1]["code"] == 404)
        #expect(try body(answer, 2)["success"] == true)
    }

    @Test("a call can use the result of an earlier one, which is then omitted")
    func references() async throws {
        let answer = try await batch(
            [
                ["method": "GET", "name": "self", "relative_url": "me?fields=id"],
                ["method": "GET", "relative_url": "{result=self:$.id}?fields=email"],
            ], ["include_headers": "false"])
        #expect(answer.json.arrayValue?[0] == .null)
        #expect(try body(answer, 1) == ["id": "100001234567890", "email": "alice@example.com"])
        #expect(answer.json.arrayValue?[1]["headers"] == nil)
    }

    @Test("a call is not made if one that it depends on failed")
    func failedDependency() async throws {
        let answer = try await batch([
            ["method": "GET", "name": "first", "relative_url": "nobody"],
            ["method": "DELETE", "relative_url": "me/permissions", "depends_on": "first"], ["relative_url": "me"],
        ])
        #expect(answer.json.arrayValue?[0]["code"] == 404)
        #expect(answer.json.arrayValue?[1] == .null)
        #expect(answer.json.arrayValue?[2]["code"] == 200)
    }

    @Test("a call can have an access token of its own")
    func ownToken() async throws {
        let answer = try await batch([["relative_url": "app?access_token=1234567890123456|facebook-app-secret"]])
        #expect(try body(answer, 0)["id"] == "1234567890123456")
    }

    @Test("at most fifty calls, and no members that are not performed")
    func limits() async throws {
        let many = try await batch(.array(Array(repeating: ["relative_url": "me"], count: 51)))
        #expect(many.json["error"]?["message"] == "Too many requests in batch message. Maximum batch size is 50")
        let files = try await batch([["relative_url": "me", "attached_files": "a"]])
        #expect(files.json["error"]?["message"] == "(#100) The member attached_files of a batched call is not supported")
        #expect(try await batch(["relative_url": "me"]).status == 400)
    }
}
