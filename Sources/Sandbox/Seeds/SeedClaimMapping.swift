import Directory
import WireFormats

extension ClaimMapping {
    /// The claims of a client or an API in seeds. An object has the source of each claim, or an object with `source` and `into`. A list has
    /// the names of attributes, which become claims of the same names.
    static let codec = FieldCodec<[ClaimMapping]>(
        shape: .either([.list(.text), .map(.anything)]), expected: nil,
        read: { members, key in
            guard let json: JSONValue = try members.decode(ifThere: key) else { return nil }
            if let elements = json.arrayValue {
                let names = elements.compactMap(\.stringValue)
                guard names.count == elements.count, names.allSatisfy({ maySet($0) }) else {
                    throw members.fault(key.stringValue, expecting: "a list of \(namesForm)")
                }
                return names.map { ClaimMapping($0, .attribute($0)) }
            }
            guard let object = json.objectValue else {
                throw members.fault(key.stringValue, expecting: "an object of claims and their sources, or a list of attributes")
            }
            return try object.members.map { name, value -> ClaimMapping in
                do throws(Malformed) {
                    return try mapping(name, value)
                } catch {
                    let path = members.codingPath + [key, FieldName(name)]
                    throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: error.expected))
                }
            }
        },
        write: { mappings in JSONValue.object(JSONObject(mappings.map { ($0.name, json(of: $0)) })) })

    private static let namesForm = "claims that tokens do not set themselves"

    private struct Malformed: Error {
        var expected: String
    }

    private static func mapping(_ name: String, _ value: JSONValue) throws(Malformed) -> ClaimMapping {
        guard maySet(name) else { throw Malformed(expected: namesForm) }
        let details = value.objectValue
        if let other = details?.names.first(where: { !["source", "into"].contains($0) }) {
            throw Malformed(expected: "source and into in place of \(other); an object is a constant as the value of source")
        }
        guard let source = ClaimSource(details.map { $0["source"] ?? .null } ?? value) else { throw Malformed(expected: ClaimSource.form) }
        guard let into = details?["into"] else { return ClaimMapping(name, source) }
        let names = into.arrayValue?.map { $0.stringValue ?? "" } ?? []
        let places = names.compactMap { Place(rawValue: $0) }
        guard !places.isEmpty, places.count == names.count else {
            throw Malformed(expected: "into: a list of \(Place.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return ClaimMapping(name, source, places: places)
    }

    private static func json(of mapping: ClaimMapping) -> JSONValue {
        let source = mapping.source.json
        if mapping.places == nil, source.objectValue == nil { return source }
        var details: JSONObject = ["source": source]
        if let places = mapping.places { details["into"] = .array(places.map { .string($0.rawValue) }) }
        return .object(details)
    }
}

extension ClaimSource {
    /// Sources in seeds.
    static let codec = FieldCodec<ClaimSource>(
        shape: .anything, expected: form,
        read: { members, key in
            guard let json: JSONValue = try members.decode(ifThere: key) else { return nil }
            guard let source = ClaimSource(json) else { throw members.fault(key.stringValue, expecting: form) }
            return source
        },
        write: { $0.json })
}
