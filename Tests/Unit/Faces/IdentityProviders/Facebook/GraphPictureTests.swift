import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("Pictures of Facebook's Graph API")
struct GraphPictureTests {
    private static let alice = "100001234567890"

    private func token(_ visitor: Visitor) async throws -> String {
        try await TokenMint(cloud: visitor.cloud).token(TokenOrder(provider: "facebook", user: "alice"), issuerOrigin: Visitor.origin).token
    }

    @Test("a person without a picture has a silhouette in the requested size")
    func silhouette() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let me = try await visitor.get("facebook/v19.0/me", ["access_token": token, "fields": "id,picture.width(120).height(90)"])
        let picture = try #require(me.json["picture"]?["data"])
        #expect(picture["is_silhouette"] == true)
        #expect(picture["width"] == 120)
        #expect(picture["height"] == 90)
        let url = try #require(picture["url"]?.stringValue)
        #expect(url == "\(Visitor.origin)/idp/facebook/platform/profilepic/?asid=\(Self.alice)&height=90&width=120")
        let image = try await visitor.get(String(url.dropFirst("\(Visitor.origin)/idp/".count)))
        #expect(image.status == 200)
        #expect(image.headers[.contentType] == "image/png")
    }

    @Test("the arguments of the field have names for sizes, and braces select members")
    func arguments() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        func picture(_ field: String) async throws -> Answer {
            try await visitor.get("facebook/me", ["access_token": token, "fields": field])
        }
        #expect(try await picture("picture").json["picture"]?["data"]?["width"] == 50)
        #expect(try await picture("picture.type(large)").json["picture"]?["data"]?["width"] == 200)
        #expect(try await picture("picture.width(30)").json["picture"]?["data"]?["height"] == 30)
        #expect(try await picture("picture.type(large){width,height}").json["picture"] == ["data": ["width": 200, "height": 200]])
        let wrong = try await picture("picture.type(huge)")
        #expect(
            wrong.json["error"]?["message"] == "(#100) type must be one of the following values: small, normal, album, large, square")
        #expect(try await picture("picture{color}").json["error"]?["code"] == 100)
    }

    @Test("the edge redirects to the image, or returns its data")
    func edge() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("facebook") { $0.people[0].claims["picture"] = "https://cdn.example/alice.jpg" }
        let token = try await token(visitor)
        let redirect = try await visitor.get("facebook/v19.0/me/picture", ["access_token": token, "type": "large"])
        #expect(redirect.status == 302)
        #expect(redirect.location == "https://cdn.example/alice.jpg")
        let data = try await visitor.get("facebook/\(Self.alice)/picture", ["access_token": token, "redirect": "false"])
        #expect(
            data.json == ["data": ["height": 50, "is_silhouette": false, "url": "https://cdn.example/alice.jpg", "width": 50]])
    }

    @Test("only an identifier of one app needs no token")
    func withoutToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await visitor.get("facebook/me/picture").json["error"]?["code"] == 2500)
        #expect(try await visitor.get("facebook/\(Self.alice)/picture").json["error"]?["code"] == 104)
        try await visitor.changeApp { $0.hasScopedIDs = true }
        let provider = try #require(visitor.cloud.directory.providers["facebook"])
        let id = provider.clients[0].facebookID(of: provider.people[0])
        #expect(try await visitor.get("facebook/\(id)/picture").status == 302)
    }

    @Test("permissions are listed by name and by status")
    func permissions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        func list(_ filter: FormFields) async throws -> Answer {
            try await visitor.get("facebook/me/permissions", filter.with(["access_token": token]))
        }
        #expect(try await list(["permission": "email"]).json == ["data": [["permission": "email", "status": "granted"]]])
        #expect(try await list(["status": "declined"]).json == ["data": []])
        #expect(try await list(["status": "lost"]).json["error"]?["code"] == 100)
    }
}
