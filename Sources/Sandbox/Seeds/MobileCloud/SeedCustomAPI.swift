package import Directory
import WireFormats

extension CustomAPI {
    /// Custom APIs in seeds.
    package static let record = SeedRecord<CustomAPI>(
        "Custom API", blank: CustomAPI(name: "", version: mobileVersion, access: .enterprise(roles: []), endpoints: []),
        fields: [
            .mobileName(\.name),
            .mobileVersion(\.version),
            .defaulted("access", \.accessWord, accessCodec, "Who may call it; enterprise by default.", isAlwaysWritten: true),
            .optional("roles", \.roles, Codec.texts, "Roles that may call it."),
            .defaulted("endpoints", \.endpoints, Codec.list(Endpoint.record), "Endpoints.", isAlwaysWritten: true),
        ]
    ) { api, members in
        if case .enterprise = api.access { return }
        if let roles = try Codec.texts.read(members, FieldName("roles")), !roles.isEmpty {
            throw members.fault("roles", expecting: "no roles, since no user logs in")
        }
        guard api.endpoints.allSatisfy(\.roles.isEmpty) else {
            throw members.fault("endpoints", expecting: "endpoints without roles, since no user logs in")
        }
    }

    private static let accesses: [String: Access] = ["open": .open, "enterprise": .enterprise(roles: []), "social": .social]

    private static let accessCodec: FieldCodec<String> = Codec.named(
        .words(accesses.keys.sorted()), expecting: accesses.keys.sorted().joined(separator: ", "),
        make: { accesses[$0] == nil ? nil : $0 }, text: { $0 })

    private var accessWord: String {
        get {
            switch access {
            case .open: "open"
            case .social: "social"
            case .enterprise: "enterprise"
            }
        }
        set { access = Self.accesses[newValue] ?? access }
    }

    /// The roles; `nil` where no user logs in.
    private var roles: [String]? {
        get { if case .enterprise(let roles) = access { roles } else { nil } }
        set { if case .enterprise = access { access = .enterprise(roles: newValue ?? []) } }
    }
}

extension CustomAPI.Endpoint {
    fileprivate static let record = SeedRecord<CustomAPI.Endpoint>(
        "Endpoint", blank: CustomAPI.Endpoint(method: "GET", path: "", roles: [], answer: .caller),
        fields: [
            .defaulted("method", \.method, methodCodec, "The method, or * for each.", isAlwaysWritten: true),
            .required("path", \.path, pathCodec, "The path, such as /orders/{id}."),
            .defaulted("roles", \.roles, Codec.texts, "Roles that may call it.", isAlwaysWritten: true),
            .answer("status", statusCodec.shape, "The status.") { endpoint in
                endpoint.fixed.map { JSONValue.integer(Int64($0.status)) }
            },
            .answer("headers", .map(.text), "Header fields.") { endpoint in
                guard let headers = endpoint.fixed?.headers.sorted(by: { $0.key < $1.key }) else { return JSONValue?.none }
                return JSONValue.object(JSONObject(headers.map { ($0.key, JSONValue.string($0.value)) }))
            },
            .answer("body", .anything, "The body, a text or JSON.") { $0.body(asTemplate: false) },
            .answer("template", .anything, "A body with {{…}} in it.") { $0.body(asTemplate: true) },
            .answer("caller", callerCodec.shape, "Whether the response describes the caller.") { endpoint in
                if case .caller = endpoint.answer { JSONValue?.some(.bool(true)) } else { JSONValue?.none }
            },
            .answer("forward", forwardCodec.shape, "The URL that requests are forwarded to.") { endpoint in
                if case .forwarded(let url) = endpoint.answer { JSONValue?.some(.string(url)) } else { JSONValue?.none }
            },
        ]
    ) { endpoint, members in try endpoint.readAnswer(members) }

    private static let methodCodec = Codec.form(.pattern("^(\\*|[A-Z]+)$"), expecting: "a method such as GET, or * for each") { text in
        text == "*" || !text.isEmpty && text.utf8.allSatisfy { (0x41...0x5A).contains($0) } && !["CONNECT", "TRACE"].contains(text)
    }

    private static let pathCodec = Codec.form(
        .nonempty, expecting: "a path such as /orders/{id}, with * at its end for the rest"
    ) { EndpointPath($0) != nil }

    private static let statusCodec: FieldCodec<Int> = Codec.checked(.integer(200...599), expecting: "a status of 200 to 599") {
        (200...599).contains($0)
    } write: {
        JSONValue.integer(Int64($0))
    }

    private static let callerCodec: FieldCodec<Bool> = Codec.checked(.flag, expecting: "true") {
        $0
    } write: {
        JSONValue.bool($0)
    }

    private static let forwardCodec = Codec.form(
        .pattern("^https?://"), expecting: "an http:// or https:// URL without query and fragment"
    ) {
        ServiceProviderMetadata.isWebAddress($0) && !$0.contains { "?# ".contains($0) } && !$0.contains(":///")
    }

    /// The response, if the document has it.
    fileprivate var fixed: (status: Int, headers: [String: String], body: String, isTemplate: Bool)? {
        guard case .fixed(let status, let headers, let body, let isTemplate) = answer else { return nil }
        return (status, headers, body, isTemplate)
    }

    /// The body of the response.
    fileprivate func body(asTemplate isTemplate: Bool) -> JSONValue? {
        guard let fixed, fixed.isTemplate == isTemplate else { return JSONValue?.none }
        return JSONValue.string(fixed.body)
    }

    private mutating func readAnswer(_ members: SeedMembers) throws {
        let ways = ["body", "template", "caller", "forward"].filter { members.has($0) }
        guard ways.count <= 1 else { throw members.fault(ways[1], expecting: "one of body, template, caller, forward") }
        switch ways.first {
        case "caller":
            _ = try Self.callerCodec.read(members, FieldName("caller"))
        case "forward":
            answer = .forwarded(url: try Self.forwardCodec.read(members, FieldName("forward")) ?? "")
        default:
            answer = try fixedAnswer(members, key: ways.first ?? "body")
            return
        }
        for name in ["status", "headers"] where members.has(name) {
            throw members.fault(name, expecting: "no \(name) beside \(ways[0])")
        }
    }

    private func fixedAnswer(_ members: SeedMembers, key: String) throws -> CustomAPI.Answer {
        let value: JSONValue = try members.decode(FieldName(key), or: "")
        let body = value.stringValue ?? value.serialized()
        let isTemplate = key == "template"
        let status = try Self.statusCodec.read(members, FieldName("status")) ?? 200
        // (RFC 9110 sections 15.3.5 and 15.4.5.)
        guard body.isEmpty || status != 204 && status != 304 else {
            throw members.fault(key, expecting: "no content with status \(status)")
        }
        let headers: [String: String] = try members.decode(FieldName("headers"), or: [:])
        guard headers.allSatisfy({ Self.isField(name: $0, value: $1) }) else {
            throw members.fault("headers", expecting: "names and values of header fields, without those of the connection")
        }
        if isTemplate {
            guard let template = AnswerTemplate(body, parameters: EndpointPath(path)?.parameters ?? []) else {
                throw members.fault(key, expecting: "a text where {{…}} is one of \(AnswerTemplate.Name.forms)")
            }
            let declared = headers.first { $0.key.lowercased() == "content-type" }?.value
            if CustomAPI.isJSON(declared ?? CustomAPI.contentType(of: body, isTemplate: true)),
                (try? JSONValue(parsing: template.text(asJSON: true) { _ in nil })) == nil
            {
                throw members.fault(key, expecting: "JSON with {{…}} in it")
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

extension SeedField<CustomAPI.Endpoint> {
    /// A field of the response. The fields of responses are read together, since they exclude each other.
    fileprivate static func answer(
        _ name: String, _ shape: SeedShape, _ sentence: String, write: @escaping @Sendable (CustomAPI.Endpoint) -> JSONValue?
    ) -> SeedField {
        SeedField(
            name: name, shape: shape, sentence: sentence, isRequired: false, isOmittedAtDefault: false, read: { _, _ in }, write: write)
    }
}
