import WireFormats

struct SeedCustomAPI: Sendable, Decodable {
    var api: CustomAPI

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, version, access, roles, endpoints }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: mobileNameForm, where: isMobileName)
        let roles: [String] = try container.decode(.roles, or: [])
        let known: [String: CustomAPI.Access] = ["open": .open, "enterprise": .enterprise(roles: roles), "social": .social]
        let access: CustomAPI.Access =
            try container.decode(.access, named: { known[$0] }, expecting: known.keys.sorted().joined(separator: ", "))
            ?? .enterprise(roles: roles)
        if case .enterprise = access {
        } else if !roles.isEmpty {
            throw DecodingError.dataCorruptedError(forKey: .roles, in: container, debugDescription: "no roles, since no user logs in")
        }
        api = CustomAPI(
            name: name, version: try container.versionOfMobile(.version), access: access,
            endpoints: try container.decode(.endpoints, or: [SeedEndpoint]()).map(\.endpoint))
    }
}

private struct SeedEndpoint: Sendable, Decodable {
    var endpoint: CustomAPI.Endpoint

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case method, path, roles, status, headers, body, template, caller, forward
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        endpoint = CustomAPI.Endpoint(
            method: try container.decode(.method, or: "GET"),
            path: try container.decode(.path, expecting: "a path that begins with /") { $0.hasPrefix("/") },
            roles: try container.decode(.roles, or: []), answer: .caller)
        let ways = [CodingKeys.body, .template, .caller, .forward].filter(container.contains)
        guard ways.count <= 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: ways[1], in: container, debugDescription: "one of body, template, caller, forward")
        }
        switch ways.first {
        case .caller:
            _ = try container.decode(.caller, expecting: "true") { $0 == true }
        case .forward:
            endpoint.answer = .forwarded(
                url: try container.decode(.forward, expecting: "an http:// or https:// URL") {
                    $0.hasPrefix("http://") || $0.hasPrefix("https://")
                })
        default:
            let text: JSONValue = try container.decode(ways.first ?? .body, or: "")
            endpoint.answer = .fixed(
                status: try container.contains(.status)
                    ? container.decode(.status, expecting: "a status of 200 to 599") { (200...599).contains($0) } : 200,
                headers: try container.decode(.headers, or: [:]), body: text.stringValue ?? text.serialized(),
                isTemplate: ways.first == .template)
            return
        }
        for key in [CodingKeys.status, .headers] where container.contains(key) {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "nothing beside \(ways[0].rawValue)")
        }
    }
}
