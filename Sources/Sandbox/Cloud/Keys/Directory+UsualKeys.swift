package import Directory
import Tokens
import WireFormats

extension Directory {
    /// The RSA keys that the identity providers of a new sandbox sign with.
    package var usualKeys: [TemplateKeys.Name] {
        providers.values.sorted { $0.name < $1.name }.filter { $0.kind.descriptor.signsIDTokens }.flatMap { provider in
            provider.signingAlgorithms.filter(\.isRSA).map { TemplateKeys.Name(provider.name, $0) }
        }
    }
}
