import Directory
import WireFormats

extension UserPoolIdentityProvider {
    /// Identity providers of user pools in seeds.
    static let record = SeedRecord<UserPoolIdentityProvider>(
        "Identity provider of a user pool",
        blank: UserPoolIdentityProvider(pool: "", name: "", kind: .openIDConnect, details: [], created: SeedUserPool.never),
        fields: [
            .required(
                "name", \.name, Codec.nonempty("the name of the provider"),
                "The name; that of Facebook, Google and LoginWithAmazon is the type."),
            .required("type", \.kind, kindCodec, "The type."),
            .required("details", \.details, Codec.userAttributes, "The settings, as ProviderDetails names them: name to value."),
            .defaulted("attributeMapping", \.mapping, Codec.userAttributes, "The claims that become attributes: attribute to claim."),
            .defaulted("identifiers", \.identifiers, Codec.texts, "The values of idp_identifier that lead to the provider."),
        ]
    ) { provider, members in
        do throws(Fault) {
            try provider.check()
        } catch {
            throw members.fault("details", expecting: "settings that the service accepts: \(error.message)")
        }
    }

    private static let kindCodec: FieldCodec<Kind> = {
        let words = served.map(\.rawValue)
        return Codec.named(
            .words(words), expecting: "one of \(words.joined(separator: ", "))", make: { word in served.first { $0.rawValue == word } },
            text: { $0.rawValue })
    }()
}
