import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls of the mobile cloud. Documents have the format of seeds.
    static let mobile: [ControlCall] =
        parts("backends", "backend", .backend) + [
            mobile(
                .post, "/backends/{name}/regenerate", "Replaces the secrets of a backend.",
                body: .json(
                    Schemas.object(["keys": Schemas.list(Schemas.choice(["clientSecret", "anonymousKey"]))], required: [])),
                refusals: [404]),
            ControlCall(
                method: .get, template: "/mobile/backends/{name}/sdk/{platform}", operation: .mobile,
                summary: "Returns the configuration file of a platform's SDK.",
                answers: [200: .other(["application/octet-stream", "application/json", "application/xml", "text/plain"])], refusals: [404]),
        ] + parts("realms", "realm", .realm) + users + parts("apis", "custom API", .customAPI)
        + parts("certificates", "certificate", .certificate)
        + parts("saml-issuers", "issuer of SAML tokens", .samlIssuer, member: "samlIssuers")
        + parts("team-members", "team member", .teamMember, member: "teamMembers") + parts("collections", "collection", .collection)
        + [
            mobile(.get, "/roles", "Lists the mobile user roles.", answer: roles),
            mobile(
                .put, "/roles", "Replaces the mobile user roles.", body: .json(roles), answer: roles,
                refusals: [409]),
            mobile(.get, "/locations", "Returns the data of the Location API.", answer: SeedDocument.locations.schema),
            mobile(
                .put, "/locations", "Replaces the data of the Location API.", body: .json(SeedDocument.locations.schema),
                answer: SeedDocument.locations.schema, refusals: [409]),
            mobile(
                .get, "/events", "Lists the events that apps sent to Analytics.",
                query: ["backend": Schemas.text, "limit": ["type": "integer", "minimum": 1]], refusals: [404]),
            mobile(.get, "/devices", "Lists the registered devices.", query: ["backend": Schemas.text], refusals: [404]),
            mobile(.get, "/notifications", "Lists the notifications.", query: ["backend": Schemas.text], refusals: [404]),
        ] + policies

    private static let roles = Schemas.object(["roles": Schemas.list(Schemas.text)])

    private static let users: [ControlCall] = [
        mobile(
            .get, "/realms/{realm}/users", "Lists the users of a realm.",
            answer: Schemas.object(["users": Schemas.list(SeedDocument.mobileUser.schema)]), refusals: [404]),
        ControlCall(
            method: .post, template: "/mobile/realms/{realm}/users", operation: .mobile, summary: "Imports users from a CSV or JSON file.",
            body: .other(["text/csv", "application/json"]), answers: [200: .json(Schemas.anyObject)], refusals: [404, 409]),
        mobile(.get, "/realms/{realm}/users/{name}", "Returns a user.", answer: SeedDocument.mobileUser.schema, refusals: [404]),
        put("/realms/{realm}/users/{name}", "Adds or replaces a user.", .mobileUser),
        removal("/realms/{realm}/users/{name}", "Removes a user."),
    ]

    private static let policies: [ControlCall] = [
        ControlCall(
            method: .get, template: "/mobile/policies", operation: .mobile, summary: "Returns the environment policies.",
            answers: [200: .other(["text/plain", "application/json"])]),
        ControlCall(
            method: .put, template: "/mobile/policies", operation: .mobile, summary: "Sets environment policies.",
            body: .other(["text/plain", "application/json"]), answers: [200: .other(["text/plain", "application/json"])], refusals: [409]),
        ControlCall(
            method: .delete, template: "/mobile/policies", operation: .mobile, summary: "Restores the service's environment policies.",
            answers: [200: .other(["text/plain", "application/json"])], refusals: [409]),
        mobile(.get, "/policies/{name}", "Returns an environment policy.", refusals: [404]),
        mobile(
            .put, "/policies/{name}", "Sets an environment policy.",
            body: .json(Schemas.object(["name": Schemas.text, "value": [:]], required: ["value"])), refusals: [409]),
        removal("/policies/{name}", "Removes an environment policy."),
    ]

    /// Returns the calls for a kind of part: the list, and one part by name.
    /// - Parameter member: the member that contains the list; by default the path segment.
    private static func parts(_ segment: String, _ kind: String, _ document: SeedDocument, member: String? = nil) -> [ControlCall] {
        [
            mobile(.get, "/\(segment)", "Lists every \(kind).", answer: Schemas.object([member ?? segment: Schemas.list(document.schema)])),
            mobile(.get, "/\(segment)/{name}", "Returns a \(kind).", answer: document.schema, refusals: [404]),
            put("/\(segment)/{name}", "Adds or replaces a \(kind).", document),
            removal("/\(segment)/{name}", "Removes a \(kind)."),
        ]
    }

    private static func mobile(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, query: KeyValuePairs<String, JSONValue> = [:], body: Body? = nil,
        answer: JSONValue = Schemas.anyObject, refusals: [Int] = []
    ) -> ControlCall {
        ControlCall(
            method: method, template: "/mobile\(path)", operation: .mobile, summary: summary, query: query, body: body,
            answers: [200: .json(answer)], refusals: refusals)
    }

    private static func put(_ path: String, _ summary: String, _ document: SeedDocument) -> ControlCall {
        ControlCall(
            method: .put, template: "/mobile\(path)", operation: .mobile, summary: summary, body: .json(document.schema),
            answers: [200: .json(document.schema), 201: .json(document.schema)], refusals: [404, 409])
    }

    private static func removal(_ path: String, _ summary: String) -> ControlCall {
        ControlCall(method: .delete, template: "/mobile\(path)", operation: .mobile, summary: summary, refusals: [404, 409])
    }
}
