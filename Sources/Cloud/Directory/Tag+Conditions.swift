package import Policy

extension [Tag] {
    /// The value of a tag as conditions read it.
    /// - Parameter name: lower-cased, since keys of conditions know no case.
    package func conditionValues(of name: some StringProtocol) -> ConditionValues? {
        let values = filter { $0.key.lowercased() == name }.map(\.value)
        return values.count < 2 ? values.first.map { .one($0) } : .any(values)
    }
}
