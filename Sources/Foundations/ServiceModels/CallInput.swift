package import WireFormats

/// The input of a call, in the form of its protocol.
package struct CallInput: Sendable {
    /// The document of JSON and CBOR protocols, and of bodies in REST.
    package var document: JSONValue
    /// The fields of the Query protocol.
    package var form: FormFields
    /// The members in the path and the query of REST.
    package var labels: TextDictionary<String>
    /// The lists in the query of REST, such as `tagKeys`.
    package var repeated: TextDictionary<[String]>

    package init(
        document: JSONValue = .null, form: FormFields = [:], labels: TextDictionary<String> = [:],
        repeated: TextDictionary<[String]> = [:]
    ) {
        self.document = document
        self.form = form
        self.labels = labels
        self.repeated = repeated
    }

    /// Whether a list or a map has anything in it.
    func has(_ member: String) -> Bool {
        switch document[member] {
        case .array(let elements)?: !elements.isEmpty
        case .object(let members)?: !members.isEmpty
        case .null?, nil: form.fields.contains { $0.name.hasPrefix("\(member).") }
        default: true
        }
    }

    /// Returns the texts at a path, in order: none if the member is absent.
    func texts(at path: MemberPath) throws(UndecidableCall) -> [String] {
        guard !path.steps.isEmpty else { return path.absent.map { [$0] } ?? [] }
        var found: [String] = []
        if case .member(let name) = path.steps[0], path.steps.count == 1, let label = labels[name] {
            if document.objectValue?[name] != nil { throw .repeatedMember(name) }
            return [label]
        }
        if !form.fields.isEmpty {
            try appendFields(of: path.steps[...], prefix: "", path, &found)
        } else {
            try append(document, path.steps[...], path, &found)
        }
        return found
    }

    /// Appends the texts at the rest of a path.
    private func append(
        _ value: JSONValue, _ steps: ArraySlice<MemberPath.Step>, _ path: MemberPath, _ found: inout [String]
    ) throws(UndecidableCall) {
        guard let step = steps.first else {
            switch value {
            case .string(let text): found.append(text)
            case .integer(let number): found.append(String(number))
            case .bool(let flag): found.append(flag ? "true" : "false")
            case .null: if let absent = path.absent { found.append(absent) }
            default: throw .unexpectedType(member: path.name)
            }
            return
        }
        switch step {
        case .member(let name):
            if value == .null {
                if let absent = path.absent, !steps.contains(where: \.isList) { found.append(absent) }
                return
            }
            guard let object = value.objectValue else { throw .unexpectedType(member: path.name) }
            let alike = object.names.filter { $0.lowercasedASCII == name.lowercasedASCII }
            guard alike.count < 2, alike.first == nil || alike.first == name else { throw .repeatedMember(name) }
            try append(object[name] ?? .null, steps.dropFirst(), path, &found)
        case .each:
            if value == .null { return }
            guard let elements = value.arrayValue else { throw .unexpectedType(member: path.name) }
            for element in elements { try append(element, steps.dropFirst(), path, &found) }
        case .keys:
            if value == .null { return }
            guard let object = value.objectValue else { throw .unexpectedType(member: path.name) }
            found += object.names
        }
    }

    /// Appends the texts at the rest of a path in the Query protocol, where `A.member.1.B` is the member `B` of the first element of `A`.
    private func appendFields(
        of steps: ArraySlice<MemberPath.Step>, prefix: String, _ path: MemberPath, _ found: inout [String]
    ) throws(UndecidableCall) {
        guard let step = steps.first else {
            let values = form.all(named: prefix)
            guard values.count < 2 else { throw .repeatedMember(prefix) }
            if let value = values.first ?? path.absent { found.append(value) }
            return
        }
        switch step {
        case .member(let name):
            try appendFields(of: steps.dropFirst(), prefix: prefix.isEmpty ? name : "\(prefix).\(name)", path, &found)
        case .each:
            let elements = elements(of: prefix)
            // No list of AWS is so long, and each element is searched for in the whole form.
            guard elements.count <= Self.longestList else { throw .contradiction("A list of resources") }
            for element in elements { try appendFields(of: steps.dropFirst(), prefix: element, path, &found) }
        case .keys:
            // Maps are lists of keys and values; no rule for a service with the Query protocol names one.
            throw .unexpectedType(member: path.name)
        }
    }

    /// The most elements of a list in the Query protocol.
    private static let longestList = 1000

    /// Returns the names that the elements of a list begin with, such as `AlarmNames.member.1`, in the order of the form.
    private func elements(of list: String) -> [String] {
        var (names, seen): ([String], Set<TextKey>) = ([], [])
        for field in form.fields where field.name.hasPrefix("\(list).") {
            var parts = field.name.dropFirst(list.count + 1).split(separator: ".").prefix(2).map { String($0) }
            if parts.first.map({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) == true { parts = [parts[0]] }
            let name = "\(list).\(parts.joined(separator: "."))"
            if seen.insert(TextKey(name)).inserted { names.append(name) }
        }
        return names
    }
}

extension MemberPath.Step {
    /// Whether the step leads to several values.
    fileprivate var isList: Bool {
        switch self {
        case .member: false
        case .each, .keys: true
        }
    }
}
