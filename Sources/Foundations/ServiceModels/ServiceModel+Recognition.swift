import WireFormats

extension ServiceModel {
    /// Returns the operation that a request calls.
    ///
    /// Clients of one service use several protocols, so the request decides which one it is, and never the path alone: SDKs send calls of SQS
    /// to `/` and to the path of a queue. A request with the signs of two protocols is refused, because the upstream could follow the other.
    package func recognize(_ signs: CallSigns) throws(UnrecognizedCall) -> RecognizedOperation {
        let action = try queryAction(in: signs)
        let isCBOR = signs.smithyProtocol != nil
        guard [action != nil, isCBOR, !signs.targets.isEmpty].count(where: { $0 }) < 2, signs.targets.count < 2 else {
            throw .ambiguous("The request has the signs of several operations.")
        }
        if isREST {
            guard action == nil, !isCBOR, signs.targets.isEmpty else {
                throw .ambiguous("The request has the signs of another protocol than REST.")
            }
            return try recognizeREST(signs)
        }
        if let target = signs.targets.first { return try recognizeJSON(target, signs) }
        if isCBOR { return try recognizeCBOR(signs) }
        guard let action else { throw .noProtocol }
        return try recognizeQuery(action, signs)
    }

    /// Returns the `Action` of a request in the Query protocol, from its query or form; `nil` if there is none.
    private func queryAction(in signs: CallSigns) throws(UnrecognizedCall) -> String? {
        let actions = signs.query.all(named: "Action") + (signs.form?.all(named: "Action") ?? [])
        guard actions.count < 2 else { throw .ambiguous("The request has several actions.") }
        return actions.first
    }

    private func recognizeJSON(_ target: String, _ signs: CallSigns) throws(UnrecognizedCall) -> RecognizedOperation {
        guard let targetPrefix, let version = protocols.first(where: \.isJSON), signs.method == "POST",
            Self.isJSON(signs.contentType)
        else { throw .noProtocol }
        try checkQuery(signs)
        // Only SQS has calls at other paths than the root; an upstream could take them for calls of another service.
        _ = try queue(in: signs, [:])
        let name = target.hasPrefix("\(targetPrefix).") ? String(target.dropFirst(targetPrefix.count + 1)) : target
        guard target.hasPrefix("\(targetPrefix)."), let operation = operations[name] else { throw .unknownOperation(name) }
        return RecognizedOperation(operation: operation, wireProtocol: version, labels: [:])
    }

    /// Whether a type of content is AWS JSON alone, in the encoding that is decided.
    private static func isJSON(_ contentType: String) -> Bool {
        let parts = contentType.lowercasedASCII.split(separator: ";").map { $0.trimmed }
        guard let type = parts.first, ["application/x-amz-json-1.0", "application/x-amz-json-1.1"].contains(type) else { return false }
        return parts.dropFirst().allSatisfy { !$0.hasPrefix("charset") || ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    }

    private func recognizeCBOR(_ signs: CallSigns) throws(UnrecognizedCall) -> RecognizedOperation {
        // `POST /service/NAME/operation/OPERATION`, where the service is called as in its model, which is the prefix of targets.
        let segments = signs.path.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard protocols.contains(.cbor), signs.smithyProtocol == "rpc-v2-cbor", signs.method == "POST", segments.count == 5,
            segments[0].isEmpty, segments[1] == "service", segments[3] == "operation"
        else { throw .noProtocol }
        try checkQuery(signs)
        guard segments[2] == targetPrefix, let operation = operations[segments[4]] else { throw .unknownOperation(segments[4]) }
        return RecognizedOperation(operation: operation, wireProtocol: .cbor, labels: [:])
    }

    /// Refuses parameters of a call whose input is its body, except those of a signature.
    private func checkQuery(_ signs: CallSigns) throws(UnrecognizedCall) {
        guard let other = signs.query.fields.first(where: { !$0.name.lowercasedASCII.hasPrefix("x-amz-") }) else { return }
        throw .ambiguous("The query has the parameter \(other.name), which calls in this protocol do not have.")
    }

    private func recognizeQuery(_ action: String, _ signs: CallSigns) throws(UnrecognizedCall) -> RecognizedOperation {
        guard protocols.contains(.query), signs.method == "POST" || signs.method == "GET" else { throw .noProtocol }
        // A reader could find parameters in a body of another type.
        guard !signs.hasDocument else { throw .ambiguous("The body of a call in the Query protocol must be a form.") }
        var fields = signs.query
        fields.fields += signs.form?.fields ?? []
        if let repeated = fields.repeatedName { throw .ambiguous("The parameter \(repeated) occurs twice.") }
        guard let operation = operations[action], fields.first("Version") == version else { throw .unknownOperation(action) }
        let labels = try queue(in: signs, fields)
        return RecognizedOperation(operation: operation, wireProtocol: .query, labels: labels)
    }

    /// Returns the queue that a call of SQS names by its path, as older SDKs do.
    private func queue(in signs: CallSigns, _ fields: FormFields) throws(UnrecognizedCall) -> TextDictionary<String> {
        if signs.path == "/" { return [:] }
        // An empty segment could end the path, or begin a host.
        let segments = signs.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
        guard name == "sqs", signs.path.hasPrefix("/") else { throw .noProtocol }
        guard segments.count == 2, segments[0].isAccount, !segments[1].isEmpty, !segments[1].utf8.contains(0x25)
        else { throw .noProtocol }
        if let url = fields.first("QueueUrl") {
            guard url.hasSuffix("/\(segments[0])/\(segments[1])") else { throw .ambiguous("Path and QueueUrl name different queues.") }
            return [:]
        }
        return ["QueueUrl": signs.path]
    }

    private func recognizeREST(_ signs: CallSigns) throws(UnrecognizedCall) -> RecognizedOperation {
        // One slash at the end means nothing; other empty segments, and those that readers resolve, are refused.
        var raw = signs.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
        if raw.last?.isEmpty == true { raw.removeLast() }
        var segments: [String] = []
        for segment in raw {
            guard let decoded = percentDecoded(segment) else { throw .ambiguous("The path has an invalid escape.") }
            guard !decoded.isEmpty, decoded != ".", decoded != ".." else { throw .ambiguous("The path has an empty or relative segment.") }
            guard !decoded.utf8.contains(where: Self.isAmbiguous) else { throw .ambiguous("The path has an unusual character.") }
            segments.append(decoded)
        }
        try checkEncodedSlashes(segments, signs)
        var single = signs.query
        single.fields.removeAll { Self.repeatable.contains($0.name) }
        var folded = single
        folded.fields = single.fields.map { FormFields.Field(name: $0.name.lowercasedASCII, value: $0.value) }
        if let repeated = folded.repeatedName {
            throw .ambiguous("The parameter \(repeated) occurs twice.")
        }
        var best: [(operation: OperationModel, labels: TextDictionary<String>, literals: Int)] = []
        for operation in operations.values {
            guard let match = operation.template?.match(method: signs.method, path: segments, query: signs.query) else { continue }
            if let literals = best.first?.literals, literals > match.literals { continue }
            if let literals = best.first?.literals, literals < match.literals { best = [] }
            best.append((operation, match.labels, match.literals))
        }
        guard let first = best.first else { throw .unknownOperation(nil) }
        guard best.count == 1 else { throw .ambiguous("Several operations have this path.") }
        var labels = first.labels
        for field in single.fields {
            guard labels[field.name] == nil else { throw .ambiguous("Path and query have \(field.name).") }
            labels[field.name] = field.value
        }
        var lists: TextDictionary<[String]> = [:]
        for name in Self.repeatable {
            let values = signs.query.all(named: name)
            if !values.isEmpty { lists[name] = values }
        }
        return RecognizedOperation(
            operation: first.operation, wireProtocol: protocols.contains(.restXML) ? .restXML : .restJSON, labels: labels, repeated: lists,
            path: "/" + segments.map { percentEncoded($0) }.joined(separator: "/"))
    }

    /// Refuses an encoded slash if a reader that decodes the path before it finds the operation finds any. The path of a call that tags a
    /// resource has the resource's ARN, whose slashes are encoded.
    private func checkEncodedSlashes(_ segments: [String], _ signs: CallSigns) throws(UnrecognizedCall) {
        guard segments.contains(where: { $0.utf8.contains(0x2F) }) else { return }
        let decoded = segments.flatMap { $0.split(separator: "/").map { String($0) } }
        let isOther = operations.values.contains { operation in
            operation.template?.match(method: signs.method, path: decoded, query: signs.query) != nil
        }
        if isOther { throw .ambiguous("The path has an encoded slash.") }
    }

    /// Whether a byte of a decoded segment could end it, or could be decoded again: `%`, `#`, `;`, `?`, `\` and control characters.
    private static func isAmbiguous(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x00...0x1F, 0x7F, 0x23, 0x25, 0x3B, 0x3F, 0x5C: true
        default: false
        }
    }

    /// Parameters of REST that are lists.
    private static let repeatable: Set<String> = ["embed", "Statuses", "tagKeys"]
}

extension ServiceModel {
    /// Returns the protocol in which a client expects an error, before it is known which operation it calls.
    package func expectedProtocol(_ signs: CallSigns) -> ServiceProtocol {
        if signs.smithyProtocol != nil { return .cbor }
        if signs.contentType.lowercasedASCII.hasPrefix("application/x-amz-json-1.0") { return .json10 }
        if !signs.targets.isEmpty || signs.contentType.lowercasedASCII.hasPrefix("application/x-amz-json-") {
            return protocols.first(where: \.isJSON) ?? .json11
        }
        if isREST { return protocols.contains(.restXML) ? .restXML : .restJSON }
        let isForm = signs.contentType.lowercasedASCII.hasPrefix("application/x-www-form-urlencoded")
        if protocols.contains(.query), isForm || signs.query.first("Action") != nil { return .query }
        return protocols.first { $0 != .cbor } ?? .json11
    }
}

extension ServiceProtocol {
    /// Whether the protocol is AWS JSON of any version.
    fileprivate var isJSON: Bool { self == .json10 || self == .json11 }
}
