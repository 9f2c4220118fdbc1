import WireFormats

extension [Tag] {
    /// Returns the value of a tag as a condition value.
    /// - Parameter name: lowercased, because condition keys are case-insensitive.
    package func conditionValues(of name: some StringProtocol) -> ConditionValues? {
        let values = filter { $0.key.lowercased() == name }.map(\.value)
        return values.count < 2 ? values.first.map { .one($0) } : .any(values)
    }

    /// Returns the value of `aws:ResourceTag/…` or `iam:ResourceTag/…`, where these are the tags of the resource.
    /// - Parameter key: lowercased.
    package func resourceTag(_ key: String) -> ConditionValues? {
        for prefix in ["aws:resourcetag/", "iam:resourcetag/"] where key.hasPrefix(prefix) {
            return conditionValues(of: key.dropFirst(prefix.count))
        }
        return nil
    }
}
