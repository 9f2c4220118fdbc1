import Directory
import WireFormats

extension UserPoolTrigger {
    /// The names in seeds of functions that get events of later versions before tokens are issued.
    private static let laterVersions: [(name: String, version: Version)] = [
        ("PreTokenGenerationV2", .second), ("PreTokenGenerationV3", .third),
    ]

    fileprivate static let names = Point.allCases.map(\.rawValue) + laterVersions.map(\.name)

    /// Creates a trigger from its name and a URL or the ARN of a function.
    fileprivate init?(named name: String, target: String) {
        let version = Self.laterVersions.first { $0.name == name }?.version
        guard let point = version == nil ? Point(rawValue: name) : Point.preTokenGeneration else { return nil }
        if ServiceProviderMetadata.isWebAddress(target) {
            self.init(point, function: "", url: target, version: version)
        } else {
            guard Self.isARN(target) else { return nil }
            self.init(point, function: target, version: version)
        }
    }

    fileprivate var name: String { Self.laterVersions.first { $0.version == version }?.name ?? point.rawValue }

    /// Returns the trigger with an ARN, which is made up for a trigger that has only a URL.
    func placed(in pool: UserPool) -> UserPoolTrigger {
        guard function.isEmpty else { return self }
        var placed = self
        placed.function = "arn:aws:lambda:\(pool.region):\(pool.account):function:\(pool.shortName)-\(point.rawValue)"
        return placed
    }
}

extension Codec {
    /// The functions of a user pool.
    static let triggers = FieldCodec<[UserPoolTrigger]>(
        shape: .map(.pattern("^(https?://|arn:)")), expected: nil,
        read: { members, key in
            let targets: [String: String]? = try members.decode(ifThere: key)
            guard let targets else { return nil }
            let triggers = targets.keys.sorted().compactMap { UserPoolTrigger(named: $0, target: targets[$0] ?? "") }
            // PreTokenGeneration has one version.
            guard triggers.count == targets.count, Set(triggers.map(\.point)).count == triggers.count else {
                let names = UserPoolTrigger.names.joined(separator: ", ")
                try members.refuse(key, expecting: "http:// or https:// URLs, or ARNs of functions, for some of \(names)")
                return nil
            }
            return triggers
        },
        write: { triggers in
            JSONValue.object(JSONObject(triggers.map { ($0.name, JSONValue.string($0.url ?? $0.function)) }))
        })
}
