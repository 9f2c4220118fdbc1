import ControlDocuments
import Directory
import WireFormats

extension IdentityProvider.Kind {
    /// Creates the kind of a provider as the control API describes it. A seed leaves out the kind of a provider that has the name of its kind.
    init(of document: JSONValue) {
        self =
            document["kind"]?.stringValue.flatMap(Self.init(rawValue:))
            ?? Self(providerName: document["name"]?.stringValue ?? "")
    }

    /// Creates the kind of a provider in a list.
    init(of provider: Document<ProviderMembers>) { self = Self(rawValue: provider.kind) ?? Self(providerName: provider.name) }
}
