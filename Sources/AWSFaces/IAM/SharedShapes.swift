import Cloud
import WireFormats

extension XMLWriter {
    /// `Tags`, where there are some. (IAM API Reference, "Tag".)
    mutating func tags(_ tags: [Tag]) {
        guard !tags.isEmpty else { return }
        element("Tags") { xml in
            for tag in tags {
                xml.element("member") { xml in
                    xml.element("Key", tag.key)
                    xml.element("Value", tag.value)
                }
            }
        }
    }

    /// `PermissionsBoundary`. (IAM API Reference, "AttachedPermissionsBoundary".)
    mutating func boundary(_ arn: String) {
        element("PermissionsBoundary") { xml in
            xml.element("PermissionsBoundaryType", "Policy")
            xml.element("PermissionsBoundaryArn", arn)
        }
    }
}

extension QueryParameters {
    /// `Path` of what is made; nothing where none is given.
    mutating func path() -> String? { text("Path", length: 1...512, pattern: .path) }

    /// `PathPrefix` of a list, `/` where none is given.
    mutating func pathPrefix() -> String { text("PathPrefix", length: 1...512, pattern: .pathPrefix) ?? "/" }

    /// `Tags.member.<n>.Key` and `.Value`.
    mutating func tags(most: Int) -> [Tag] {
        let count = count(of: "Tags", most: most)
        return (0..<count).map { index in
            let prefix = "Tags.member.\(index + 1)."
            return Tag(
                key: requiredText(prefix + "Key", length: 1...128, pattern: .tag),
                value: requiredText(prefix + "Value", length: 0...256, pattern: .tag))
        }
    }
}
