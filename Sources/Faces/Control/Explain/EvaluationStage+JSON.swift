import Policy
import WireFormats

extension EvaluationStage {
    /// The stage, its policies and how it ended.
    var json: JSONValue {
        ["stage": .string(name), "policies": .array(policies.map(JSONValue.string)), "outcome": .string(outcome.rawValue)]
    }
}
