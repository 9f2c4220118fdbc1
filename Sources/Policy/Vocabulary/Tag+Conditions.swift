extension [Tag] {
    /// The value of a tag as conditions read it.
    /// - Parameter name: lower-cased, since keys of conditions know no case.
    package func conditionValues(of name: some StringProtocol) -> ConditionValues? {
        let values = filter { $0.key.lowercased() == name }.map(\.value)
        return values.count < 2 ? values.first.map { .one($0) } : .any(values)
    }

    /// `aws:ResourceTag/…` and `iam:ResourceTag/…`, where the tags are those of what is acted on.
    /// - Parameter key: lower-cased.
    package func resourceTag(_ key: String) -> ConditionValues? {
        for prefix in ["aws:resourcetag/", "iam:resourcetag/"] where key.hasPrefix(prefix) {
            return conditionValues(of: key.dropFirst(prefix.count))
        }
        return nil
    }
}
