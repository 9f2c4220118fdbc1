import Tokens
package import WireFormats

/// What `GET /keys` returns.
package struct KeyListMembers: DeclaredMembers {
    /// The keys of each provider, by its name.
    package var providers = anything("providers").described(by: ["type": "object", "additionalProperties": [Document<KeyMembers>].schema])
}

/// What `POST /keys/rotate` returns.
package struct RotatedKeysMembers: DeclaredMembers {
    package var (provider, keys) = (text("provider"), list(of: KeyMembers.self, "keys"))
}

/// A key that an identity provider publishes.
package struct KeyMembers: DeclaredMembers {
    package var (keyID, algorithm) = (text("kid"), choice("alg", SignatureAlgorithm.published.map(\.rawValue)))
    package var (created, stage) = (date("created"), choice("stage", ["spare", "next", "current", "retired"]))
    /// When a retired key is no longer published.
    package var leaves = date("leaves").omitted
}
