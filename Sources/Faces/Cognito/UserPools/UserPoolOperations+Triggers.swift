import Directory
import WireFormats

extension UserPoolTrigger {
    /// Reads the member `LambdaConfig`. Functions of other points than Virga has are members that are not read.
    static func all(in config: inout UserPoolInput) throws(UserPoolError) -> [UserPoolTrigger] {
        var triggers: [UserPoolTrigger] = []
        for point in Point.allCases {
            guard let function = try config.text(point.rawValue, length: 20...2048, pattern: .function) else { continue }
            triggers.append(UserPoolTrigger(point, function: function))
        }
        if var settings = try config.object("PreTokenGenerationConfig") {
            let name = try settings.requiredChoice("LambdaVersion", of: Version.allCases.map(\.rawValue))
            let function = try settings.requiredText("LambdaArn", length: 20...2048, pattern: .function)
            try settings.check()
            guard let version = Version(rawValue: name) else { throw .unsupported("LambdaVersion \(name)") }
            guard triggers.allSatisfy({ $0.point != .preTokenGeneration || $0.function == function }) else {
                throw .invalidParameter("The values of PreTokenGeneration and of LambdaArn in PreTokenGenerationConfig must be identical.")
            }
            triggers.removeAll { $0.point == .preTokenGeneration }
            triggers.append(UserPoolTrigger(.preTokenGeneration, function: function, version: version))
        }
        try config.check()
        return triggers
    }
}

extension UserPool {
    /// The member `LambdaConfig`.
    var triggerDocument: JSONValue {
        var members: JSONObject = [:]
        for trigger in triggers {
            members[trigger.point.rawValue] = .string(trigger.function)
            guard let version = trigger.version else { continue }
            members["PreTokenGenerationConfig"] = ["LambdaVersion": .string(version.rawValue), "LambdaArn": .string(trigger.function)]
        }
        return .object(members)
    }
}

extension SignedUserPoolCall {
    /// Returns the triggers of a call with the URLs that a pool has for their functions.
    /// - Throws: `UnsupportedOperationException` for a function that no URL stands for.
    func placed(_ triggers: [UserPoolTrigger], in pool: UserPool) throws(UserPoolError) -> [UserPoolTrigger] {
        var placed: [UserPoolTrigger] = []
        for var trigger in triggers {
            let function = trigger.function
            trigger.url = pool.triggers.first { $0.function == function }?.url
            guard trigger.url != nil || functions.url(function) != nil else {
                throw .unsupported("the trigger \(trigger.point.rawValue), because no eventTargets and no --event-target has \(function)")
            }
            placed.append(trigger)
        }
        return placed
    }
}
