import FoundationEssentials
import Testing
@Suite struct Dump {
    @Test func dump() async throws {
        let v = Visitor(try await Visitor.sandbox())
        func w(_ n: String, _ a: Answer) throws { try a.body.write(toFile: "/tmp/pkg-idp/\(n).html", atomically: true, encoding: .utf8) }
        let login = try await v.get("company/authorize", Requests.company.with(["scope": "openid profile email offline_access"]))
        try w("login", login)
        try w("fault", try await v.get("company/authorize", ["client_id": "x"]))
        try w("google", try await v.get("google/o/oauth2/v2/auth", Requests.google))
        try w("facebook", try await v.get("facebook/dialog/oauth", Requests.facebook))
        let wrong = try await v.press("action", "login", on: login, filling: ["username": "alice", "password": "x"])
        try w("wrong", wrong)
        try w("consent", try await v.press("person", "alice", on: wrong))
        try w("amazon", try await v.get("amazon/ap/oa", Requests.amazon))
    }
}
