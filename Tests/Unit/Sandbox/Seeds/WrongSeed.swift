import Testing

/// A seed with a fault.
struct WrongSeed: Sendable, CustomTestStringConvertible {
    var text: String
    var place: String
    var expected: String

    var testDescription: String { "\(place): \(expected)" }

    static let trust = """
        {Statement: [{Effect: "Allow", Principal: {Federated: "graph.facebook.com"}, Action: "sts:AssumeRoleWithWebIdentity"}]}
        """

    private static func account(_ members: String, at place: String, _ expected: String) -> WrongSeed {
        WrongSeed(text: "{accounts: [{id: '000000000000', \(members)}]}", place: "accounts[0]\(place)", expected: expected)
    }

    private static func context(_ members: String, at place: String, _ expected: String) -> WrongSeed {
        account(
            "openIDConnectProviders: [{url: 'https://a', clientIDs: [], contextProvider: {\(members)}}]",
            at: ".openIDConnectProviders[0].contextProvider\(place)", expected)
    }

    private static func provider(_ members: String, at place: String, _ expected: String) -> WrongSeed {
        WrongSeed(text: "{identityProviders: [{\(members)}]}", place: "identityProviders[0]\(place)", expected: expected)
    }

    private static let entities = [
        account("groups: [{name: ''}]", at: ".groups[0].name", "a group name"),
        account("groups: [{name: 'a'}, {name: 'A'}]", at: ".groups[1].name", "a group name of the account that is given only once"),
        account("policies: [{name: 'a b'}]", at: ".policies[0].name", "a policy name"),
        account("policies: [{name: 'a', document: {}}]", at: ".policies[0].document", "a policy document"),
        account("devices: [{name: 'a', seed: '1'}]", at: ".devices[0].seed", "base 32"),
        account("devices: [{name: 'a', seed: 'AA', user: 'b', root: true}]", at: ".devices[0].root", "either user or root"),
        account("samlProviders: [{name: 'a@b', metadata: 'x'}]", at: ".samlProviders[0].name", "a SAML provider's name"),
        account(
            "openIDConnectProviders: [{url: 'https://a', clientIDs: [], thumbprints: ['ab']}]",
            at: ".openIDConnectProviders[0].thumbprints", "40 characters"),
        context("subjectTypeValue: 'user'", at: ".subjectSourceKey", "1 to 128 letters"),
        context("subjectSourceKey: 'a  b'", at: ".subjectSourceKey", "single spaces"),
        context("subjectSourceKey: 'a', issuer: 'b'", at: ".issuer", "one of the keys subjectSourceKey"),
        context("subjectSourceKey: 'a', keyDefinitions: [{sourceKey: 'é'}]", at: ".keyDefinitions[0].sourceKey", "1 to 128 letters"),
        context("subjectSourceKey: 'a', subjectTypeValue: 'user', subjectTypeSourceKey: 'b'", at: ".subjectTypeSourceKey", "not both"),
        account("users: [{name: 'a', tags: ['b']}]", at: ".users[0].tags", "an object"),
    ]

    static let all: [WrongSeed] = entities + numbers + documents + accounts + providers + duplicates

    private static let numbers = [
        provider(
            """
            name: 'a', issuer: 'https://a.example', clients: [{id: 'b', metadata: {subject_type: 'pairwise'},
            redirectURIs: ['https://one.example/cb', 'https://two.example/cb']}]
            """, at: ".clients[0].metadata", "redirect URIs of one host"),
        provider(
            "name: 'c', issuer: 'https://c', clients: [{id: 'b', metadata: {id_token_signed_response_alg: 'ES256K'}}]",
            at: ".clients[0].metadata.id_token_signed_response_alg", "one of RS256"),
        provider(
            "name: 'c', issuer: 'https://c', clients: [{id: 'b', metadata: {id_token_encrypted_response_alg: 'ECDH-ES'}}]",
            at: ".clients[0].metadata.id_token_encrypted_response_alg", "a jwks_uri, or jwks with a key for ECDH-ES"),
        provider("name: 'c', issuer: 'https://c', tokenLifetime: 99999999999999999999", at: ".tokenLifetime", "64 bits"),
        provider("name: 'c', issuer: 'https://c', tokenLifetime: 1.5", at: ".tokenLifetime", "a whole number"),
        provider(
            "name: 'c', issuer: 'https://c', people: [{name: 'a', subject: 's', password: 'p', claims: {x: {y: 1e400}}}]",
            at: ".people[0].claims", "64 bits"),
        account(
            "roles: [{name: 'a', trustPolicy: \(trust), maximumSessionDuration: 1e400}]", at: ".roles[0].maximumSessionDuration", "64 bits"),
        account("buckets: [{name: 'box', policy: {Statement: [], x: 1e400}}]", at: ".buckets[0].policy", "64 bits"),
        account("name: 'a\\u0000'", at: ".name", "a string of whole characters, none of them zero"),
        provider(
            "name: 'c', issuer: 'https://c', people: [{name: 'a', subject: 's', password: '\\ud800'}]", at: ".people[0].password",
            "a string of whole characters"),
    ]

    private static let documents = [
        WrongSeed(text: "[]", place: "", expected: "an object"),
        WrongSeed(text: "{account: []}", place: "account", expected: "one of the keys accounts, identityProviders"),
        WrongSeed(text: "{accounts: {}}", place: "accounts", expected: "a list"),
        WrongSeed(text: "{accounts: null}", place: "accounts", expected: "a list"),
        WrongSeed(text: "{accounts: [1]}", place: "accounts[0]", expected: "an object"),
        WrongSeed(text: "{accounts: [{}]}", place: "accounts[0].id", expected: "an account id of twelve digits"),
        WrongSeed(text: "{accounts: [{id: 0}]}", place: "accounts[0].id", expected: "a string"),
        WrongSeed(text: "{accounts: [{id: ''}]}", place: "accounts[0].id", expected: "an account id of twelve digits"),
        WrongSeed(text: "{accounts: [{id: '00000000000'}]}", place: "accounts[0].id", expected: "an account id of twelve digits"),
        WrongSeed(text: "{accounts: [{id: '00000000000a'}]}", place: "accounts[0].id", expected: "an account id of twelve digits"),
    ]

    private static let accounts = [
        account("rootKeys: [{id: 'a'}]", at: ".rootKeys[0].secret", "a secret access key"),
        account("rootKeys: [{id: '', secret: 's'}]", at: ".rootKeys[0].id", "an access key id"),
        account("canonicalUserID: ''", at: ".canonicalUserID", "a canonical user ID of 1 to 64 letters and digits"),
        account("canonicalUserID: 'a-b'", at: ".canonicalUserID", "a canonical user ID of 1 to 64 letters and digits"),
        account("users: [{name: 'a b'}]", at: ".users[0].name", "a user name"),
        account("users: [{name: 'a', password: 'x'}]", at: ".users[0].password", "one of the keys name, path"),
        account("users: [{name: 'a', path: 'staff'}]", at: ".users[0].path", "a path that begins and ends with /"),
        account("users: [{name: 'a', policies: {p: {Statement: [{Effect: 'Maybe'}]}}}]", at: ".users[0].policies.p", "a policy document"),
        account("roles: [{name: 'a'}]", at: ".roles[0].trustPolicy", "a value"),
        account("roles: [{name: 'a', trustPolicy: {Statement: []}}]", at: ".roles[0].trustPolicy", "a policy document"),
        account(
            "roles: [{name: 'a', trustPolicy: \(trust), maximumSessionDuration: 3599}]", at: ".roles[0].maximumSessionDuration",
            "seconds from 3600 to 43200"),
        account(
            "roles: [{name: 'a', trustPolicy: \(trust), maximumSignInDuration: 3599}]", at: ".roles[0].maximumSignInDuration",
            "seconds from 3600 to 7776000"),
        account("openIDConnectProviders: [{url: 'http://x', clientIDs: []}]", at: ".openIDConnectProviders[0].url", "https://"),
        account("openIDConnectProviders: [{url: 'https://x?y', clientIDs: []}]", at: ".openIDConnectProviders[0].url", "without query"),
        account("openIDConnectProviders: [{url: 'https://x'}]", at: ".openIDConnectProviders[0].clientIDs", "a value"),
        account("buckets: [{name: 'ab'}]", at: ".buckets[0].name", "a bucket name"),
        account("buckets: [{name: 'Upper'}]", at: ".buckets[0].name", "a bucket name"),
        account("buckets: [{name: 'box', policy: {}}]", at: ".buckets[0].policy", "a policy document"),
        account("buckets: [{name: 'box', objects: [{key: ''}]}]", at: ".buckets[0].objects[0].key", "an object key"),
        account("buckets: [{name: 'box', objects: [{key: 'k'}]}]", at: ".buckets[0].objects[0].text", "text, or base64"),
        account("buckets: [{name: 'box', objects: [{key: 'k', base64: '='}]}]", at: ".buckets[0].objects[0].base64", "base 64"),
        account(
            "buckets: [{name: 'box', objects: [{key: 'k', base64: '', text: ''}]}]", at: ".buckets[0].objects[0].text", "not both"),
    ]

    private static let providers = [
        provider("", at: ".name", "a provider name"),
        provider("name: 'a/b'", at: ".name", "a provider name"),
        provider("name: 'x'", at: ".issuer", "an issuer URL that begins with https://"),
        provider("name: 'x', issuer: 'http://x'", at: ".issuer", "an issuer URL that begins with https://"),
        provider("name: 'x', issuer: 'https://x', kind: 'saml'", at: ".kind", ""),
        provider("name: 'x', issuer: 'https://x', product: 'okta'", at: ".product", "one of entra, apple, auth0"),
        provider(
            "name: 'x', issuer: 'https://login.microsoftonline.com/v2.0', product: 'entra'", at: ".issuer",
            "https://login.microsoftonline.com/<tenant>/v2.0"),
        provider("name: 'x', issuer: 'https://tenant.auth0.com', product: 'auth0'", at: ".issuer", "with the slash"),
        provider("name: 'x', issuer: 'https://appleid.apple.com/', product: 'apple'", at: ".issuer", "without a path"),
        provider("name: 'google', product: 'apple'", at: ".product", "nothing"),
        provider("name: 'google', registrationAllowed: true", at: ".registrationAllowed", "nothing"),
        provider("name: 'google', revokeRefreshToken: true", at: ".revokeRefreshToken", "nothing"),
        provider("name: 'google', clients: [{id: 'a', consentRequired: true}]", at: ".clients", "clients without consentRequired"),
        provider("name: 'x', kind: 'facebook'", at: ".kind", "the provider's own name"),
        provider("name: 'google', saml: {}", at: ".saml", "nothing"),
        provider(
            "name: 'google', clients: [{id: 'x', metadata: {id_token_signed_response_alg: 'ES256'}}]", at: ".clients",
            "clients without algorithms"),
        provider("name: 'google', kind: 'amazon'", at: ".kind", "the kind google"),
        provider("name: 'google', issuer: 'https://x'", at: ".issuer", "no issuer"),
        provider("name: 'google', tokenLifetime: 0", at: ".tokenLifetime", "seconds from 1"),
        provider("name: 'google', tokenLifetime: 9223372036854775807", at: ".tokenLifetime", "seconds from 1"),
        provider("name: 'google', clients: [{id: 'x', secret: null}]", at: ".clients[0].secret", "a string"),
        provider("name: 'google', people: [{name: 'a', subject: 's'}]", at: ".people[0].password", "a password"),
        provider(
            "name: 'google', people: [{name: 'a', subject: 's', password: 'p', claims: []}]", at: ".people[0].claims",
            "an object of claims"),
    ]

    private static let duplicates = [
        WrongSeed(
            text: "{accounts: [{id: '000000000000'}, {id: '000000000000'}]}", place: "accounts[1].id", expected: "'000000000000' again"),
        WrongSeed(
            text: "{accounts: [{id: '000000000000', canonicalUserID: 'a'}, {id: '111111111111', canonicalUserID: 'a'}]}",
            place: "accounts[1].canonicalUserID", expected: "a canonical user ID that is given only once, not 'a' again"),
        account("users: [{name: 'ann'}, {name: 'Ann'}]", at: ".users[1].name", "only once"),
        account("roles: [{name: 'r', trustPolicy: \(trust)}, {name: 'r', trustPolicy: \(trust)}]", at: ".roles[1].name", "only once"),
        account(
            "rootKeys: [{id: 'k', secret: 's'}], users: [{name: 'a', accessKeys: [{id: 'k', secret: 't'}]}]",
            at: ".users[0].accessKeys[0].id", "an access key id that is given only once, not 'k' again"),
        account("buckets: [{name: 'box'}, {name: 'box'}]", at: ".buckets[1].name", "only once"),
        account(
            "buckets: [{name: 'box', objects: [{key: 'k', text: ''}, {key: 'k', text: ''}]}]", at: ".buckets[0].objects[1].key",
            "only once"),
        account(
            "openIDConnectProviders: [{url: 'https://x', clientIDs: []}, {url: 'https://x', clientIDs: []}]",
            at: ".openIDConnectProviders[1].url", "only once"),
        WrongSeed(
            text: "{identityProviders: [{name: 'google'}, {name: 'google'}]}", place: "identityProviders[1].name", expected: "only once"),
        WrongSeed(
            text: "{identityProviders: [{name: 'a', issuer: 'https://x'}, {name: 'b', issuer: 'https://x'}]}",
            place: "identityProviders[1].issuer", expected: "only once"),
        provider("name: 'google', clients: [{id: 'x'}, {id: 'x'}]", at: ".clients[1].id", "only once"),
        provider(
            "name: 'google', people: [{name: 'a', subject: 's', password: 'p'}, {name: 'a', subject: 't', password: 'p'}]",
            at: ".people[1].name", "only once"),
        provider(
            "name: 'google', people: [{name: 'a', subject: 's', password: 'p'}, {name: 'b', subject: 's', password: 'p'}]",
            at: ".people[1].subject", "only once"),
    ]
}
