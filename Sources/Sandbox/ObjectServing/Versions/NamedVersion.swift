package import ObjectStore
import WireFormats

/// The version of an object that a request names.
package struct NamedVersion: Sendable {
    /// The version to find; the current one if the request names none.
    package var selector: VersionSelector
    /// The version as the client named it; `nil` if it named none.
    package var text: String?

    /// Creates a named version from its parts.
    package init(_ selector: VersionSelector, text: String?) {
        self.selector = selector
        self.text = text
    }

    /// The version of a request that names none.
    package static var current: NamedVersion { NamedVersion(.current, text: nil) }

    /// Whether the request names no version.
    package var isCurrent: Bool { text == nil }
}
