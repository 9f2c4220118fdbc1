import Directory
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
        let endpoints: [SeedEndpoint] = try container.decode(.endpoints, or: [])
        if case .enterprise = access {
        } else if !roles.isEmpty {
            throw DecodingError.dataCorruptedError(forKey: .roles, in: container, debugDescription: "no roles, since no user logs in")
        } else if !endpoints.allSatisfy(\.endpoint.roles.isEmpty) {
            throw DecodingError.dataCorruptedError(
                forKey: .endpoints, in: container, debugDescription: "endpoints without roles, since no user logs in")
        }
        api = CustomAPI(
            name: name, version: try container.versionOfMobile(.version), access: access, endpoints: endpoints.map(\.endpoint))
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
            method: try container.contains(.method)
                ? container.decode(.method, expecting: "a method such as GET, or * for each", where: Self.isMethod) : "GET",
            path: try container.decode(.path, expecting: "a path such as /orders/{id}, with * at its end for the rest") {
                EndpointPath($0) != nil
            },
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
                url: try container.decode(.forward, expecting: "an http:// or https:// URL without query and fragment") {
                    ServiceProviderMetadata.isWebAddress($0) && !$0.contains { "?# ".contains($0) } && !$0.contains(":///")
                })
        default:
            endpoint.answer = try Self.fixedAnswer(container, key: ways.first ?? .body, path: endpoint.path)
            return
        }
        for key in [CodingKeys.status, .headers] where container.contains(key) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: container, debugDescription: "no \(key.rawValue) beside \(ways[0].rawValue)")
        }
    }

    private static func isMethod(_ text: String) -> Bool {
        text == "*" || !text.isEmpty && text.utf8.allSatisfy { (0x41...0x5A).contains($0) } && !["CONNECT", "TRACE"].contains(text)
    }

    private static func fixedAnswer(
        _ container: KeyedDecodingContainer<CodingKeys>, key: CodingKeys, path: String
    ) throws -> CustomAPI.Answer {
        let value: JSONValue = try container.decode(key, or: "")
        let body = value.stringValue ?? value.serialized()
        let isTemplate = key == .template
        let status: Int =
            try container.contains(.status)
            ? container.decode(.status, expecting: "a status of 200 to 599") { (200...599).contains($0) } : 200
        // (RFC 9110 sections 15.3.5 and 15.4.5.)
        guard body.isEmpty || status != 204 && status != 304 else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "no content with status \(status)")
        }
        let headers: [String: String] = try container.decode(.headers, or: [:])
        guard headers.allSatisfy({ isField(name: $0, value: $1) }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .headers, in: container, debugDescription: "names and values of header fields, without those of the connection")
        }
        if isTemplate {
            guard let template = AnswerTemplate(body, parameters: EndpointPath(path)?.parameters ?? []) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "a text where {{…}} is one of \(AnswerTemplate.Name.forms)")
            }
            let declared = headers.first { $0.key.lowercased() == "content-type" }?.value
            if CustomAPI.isJSON(declared ?? CustomAPI.contentType(of: body, isTemplate: true)),
                (try? JSONValue(parsing: template.text(asJSON: true) { _ in nil })) == nil
            {
                throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "JSON with {{…}} in it")
            }
        }
        return .fixed(status: status, headers: headers, body: body, isTemplate: isTemplate)
    }

    /// Returns whether a response can have a header (RFC 9110 section 5). The server itself sets headers for connection and length.
    private static func isField(name: String, value: String) -> Bool {
        let own = ["connection", "content-length", "date", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"]
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
        return isToken && !own.contains(name.lowercased()) && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
