import Cloud
import Federation
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

/// The access table again, with the credentials that apps send for each caller.
@Suite("Callers of custom APIs (R122, R126, R129, R131, R132, R140, R147)")
struct CustomAPICallersTests {
    private static let seed = """
        roles: ["Technician", "Manager"], backends: [
            {name: "app", apis: "all"}, {name: "skiers", apis: "all", facebook: {appID: "4711", appSecret: "s"}}],
        realms: [{name: "Default", users: [{username: "erika", password: "pw", roles: ["Technician"]}, {username: "emil", password: "pw"}]}],
        customAPIs: [
            {name: "open", access: "open", endpoints: [{path: "/", caller: true}]},
            {name: "login", endpoints: [{path: "/", caller: true}]},
            {name: "role", roles: ["Technician", "Manager"], endpoints: [{path: "/", caller: true}, {path: "/manager", roles: ["Manager"]}]},
            {name: "social", access: "social", endpoints: [{path: "/", caller: true}]},
        ]
        """
    private static let apis = ["open", "login", "role", "social", "role/manager"]

    struct Row: Sendable {
        var who: String
        /// The status for each of ``apis``.
        var statuses: [Int]
    }

    static let rows = [
        Row(who: "anonymous key", statuses: [200, 401, 401, 401, 401]), Row(who: "client token", statuses: [200, 401, 401, 401, 401]),
        Row(who: "user with role", statuses: [200, 200, 200, 403, 403]),
        Row(who: "user without role", statuses: [200, 200, 403, 403, 403]),
        Row(who: "password token", statuses: [200, 200, 200, 403, 403]), Row(who: "relay token", statuses: [200, 200, 200, 403, 200]),
        Row(who: "virtual user", statuses: [200, 200, 403, 403, 403]), Row(who: "virtual manager", statuses: [200, 200, 200, 403, 200]),
        Row(who: "single sign-on", statuses: [401, 401, 401, 401, 401]), Row(who: "Facebook", statuses: [200, 403, 403, 200, 403]),
        Row(who: "refused by Facebook", statuses: [401, 401, 401, 401, 401]),
        Row(who: "anonymous key of Facebook's", statuses: [200, 401, 401, 401, 401]),
        Row(who: "user at Facebook's", statuses: [401, 401, 401, 401, 401]),
        Row(who: "wrong password", statuses: [401, 401, 401, 401, 401]),
        Row(who: "nobody", statuses: [401, 401, 401, 401, 401]),
    ]

    @Test("are identified by their credentials", arguments: rows)
    func table(_ row: Row) async throws {
        try await MobileSandbox.run(Self.seed) { sandbox async throws in
            var mobile = sandbox
            mobile.outbound = Self.graph
            let fields = try await Self.fields(row.who, mobile)
            for (api, status) in zip(Self.apis, row.statuses) {
                let answer = try await mobile.get("/mobile/custom/\(api)", fields)
                #expect(answer.status == status, "\(row.who) at \(api): \(answer.text)")
                if status >= 400 {
                    #expect(answer.json["status"]?.integerValue == Int64(status))
                    #expect(answer.errorCode != nil)
                }
                if status == 401 { #expect(answer.fields[.wwwAuthenticate] != nil) }
            }
        }
    }

    private static func fields(_ who: String, _ mobile: MobileSandbox) async throws -> HTTPFields {
        let (app, skiers) = (try mobile.backend(), try mobile.backend("skiers"))
        switch who {
        case "anonymous key": return .anonymous(app)
        case "client token": return .bearer(try await mobile.token(nil))
        case "user with role": return .basic("erika:pw", app)
        case "user without role": return .basic("emil:pw", app)
        case "password token": return .bearer(try await mobile.token("erika"))
        case "relay token": return .bearer(try await mobile.token("emil", method: .exchange, furtherRoles: ["Manager"]))
        case "virtual user": return .bearer(try await mobile.token("vera", method: .jwtBearer, virtual: .init(issuer: "i", roles: [])))
        case "virtual manager":
            return .bearer(try await mobile.token("vera", method: .exchange, virtual: .init(issuer: "i", roles: ["Manager"])))
        // A token of a backend without single sign-on.
        case "single sign-on": return .bearer(try await mobile.token("erika", method: .singleSignOn))
        case "Facebook": return .facebook("good", skiers)
        case "refused by Facebook": return .facebook("bad", skiers)
        case "anonymous key of Facebook's": return .anonymous(skiers)
        case "user at Facebook's": return .basic("erika:pw", skiers)
        case "wrong password": return .basic("erika:no", app)
        default: return [:]
        }
    }

    private static let graph: Outbound = { request in
        guard request.url.contains("access_token=good") else {
            return OutboundResponse(status: 400, body: Array(#"{"error": {"message": "no", "code": 190}}"#.utf8))
        }
        let isApp = request.url.split(separator: "?")[0].hasSuffix("/app")
        return OutboundResponse(status: 200, body: Array(#"{"id": "\#(isApp ? "4711" : "12")", "name": "Sol"}"#.utf8))
    }
}
