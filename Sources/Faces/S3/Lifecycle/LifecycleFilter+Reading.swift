import Cloud
import ObjectServing
import Policy
import WireFormats

extension LifecycleFilter {
    /// Parses the `Filter` of a rule, or the older `Prefix`.
    init(ofRule rule: XMLElement) throws(S3Error) {
        let filter = try rule.optional("Filter")
        if let prefix = try rule.text(of: "Prefix") {
            guard filter == nil else { throw S3Error(.malformedXML) }
            self.init(form: .rulePrefix, prefix: prefix)
            return
        }
        guard let filter else { throw S3Error(.malformedXML) }
        guard filter.children.count <= 1 else { throw S3Error(.malformedXML) }
        if let and = try filter.optional("And") {
            try self.init(form: .and, conditions: and)
        } else {
            try self.init(form: .single, conditions: filter)
        }
    }

    private init(form: Form, conditions element: XMLElement) throws(S3Error) {
        self.init(form: form, prefix: try element.text(of: "Prefix"))
        for child in element.children where child.name == "Tag" {
            guard let key = try child.text(of: "Key"), let value = try child.text(of: "Value"), !key.isEmpty else {
                throw S3Error(.malformedXML)
            }
            guard !tags.contains(where: { $0.key == key }) else {
                throw S3Error(.invalidRequest, "Duplicate Tag Keys are not allowed.")
            }
            tags.append(Tag(key: key, value: value))
        }
        sizeAbove = try element.integer(of: "ObjectSizeGreaterThan")
        sizeBelow = try element.integer(of: "ObjectSizeLessThan")
        try checkSizes()
    }

    /// The maximum size in a filter: 1,000 TiB in bytes.
    private static let largestSize: Int64 = 1_099_511_627_776_000

    private func checkSizes() throws(S3Error) {
        if let sizeAbove, !(0...Self.largestSize).contains(sizeAbove) {
            throw S3Error(.invalidRequest, "'ObjectSizeGreaterThan' should be between 0 and \(Self.largestSize).")
        }
        if let sizeBelow, !(1...Self.largestSize).contains(sizeBelow) {
            throw S3Error(.invalidRequest, "'ObjectSizeLessThan' should be between 1 and \(Self.largestSize).")
        }
        if let sizeAbove, let sizeBelow, sizeBelow <= sizeAbove {
            throw S3Error(.invalidRequest, "'ObjectSizeLessThan' has to be a value greater than 'ObjectSizeGreaterThan'.")
        }
    }
}
