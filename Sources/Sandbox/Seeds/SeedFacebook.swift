import Directory
import WireFormats

extension FacebookApp {
    /// `facebook` of a client: the settings of the app.
    static let record = SeedRecord<FacebookApp>(
        "Facebook app", blank: FacebookApp(),
        fields: [
            .defaulted(
                "requireAppSecret", \.requiresAppSecretProof, Codec.flag, "Whether calls need an appsecret_proof.", isAlwaysWritten: true),
            .defaulted("appScopedIDs", \.hasScopedIDs, Codec.flag, "Whether the app has its own user IDs.", isAlwaysWritten: true),
            .optional("version", \.version, graphVersion, "The version of the Graph API for calls without one."),
            .optional("clientToken", \.clientToken, Codec.text, "The client token."),
            .optional(
                "deauthorizeCallbackURL", \.deauthorizeCallbackURL, Codec.text, "The URL that is called when a user removes the app."),
        ])

    private static let graphVersion: FieldCodec<GraphVersion> = Codec.named(
        .pattern("^v[0-9]+\\.[0-9]+$"), expecting: "a version of the Graph API, such as v2.5", make: { GraphVersion($0) },
        text: { $0.text })
}

extension FacebookAccount {
    /// `facebook` of a person.
    static let record = SeedRecord<FacebookAccount>(
        "Facebook account", blank: FacebookAccount(), renamed: ["hindrance": "block"],
        fields: [
            .optional("block", \.block, Codec.word(Block.self), "Why Facebook rejects the user's tokens."),
            .optional("testUserOf", \.testUserOf, Codec.text, "The app that made this test user."),
        ])
}
