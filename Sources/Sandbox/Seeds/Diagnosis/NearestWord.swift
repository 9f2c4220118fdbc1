import WireFormats

/// The maximum length of a word that is compared, in bytes.
private let longestWord = 160
/// The maximum total number of letters that one word is compared with.
private let mostLetters = 8192

/// Common alternative names for keys of seeds, in lower case.
private let otherNames: [String: [String]] = [
    "audiences": ["clientIDs", "clients"],
    "awsaccesskeyid": ["id"],
    "awssecretaccesskey": ["secret"],
    "accesskeyid": ["id"],
    "accountid": ["id"],
    "applications": ["clients"],
    "apps": ["clients"],
    "assumerolepolicy": ["trustPolicy"],
    "assumerolepolicydocument": ["trustPolicy"],
    "clientid": ["id"],
    "clientsecret": ["secret"],
    "credentials": ["accessKeys", "rootKeys"],
    "files": ["objects"],
    "idp": ["identityProviders", "identityProvider"],
    "idps": ["identityProviders"],
    "inlinepolicies": ["policies"],
    "issuerurl": ["issuer", "url"],
    "keys": ["accessKeys", "rootKeys"],
    "managedpolicies": ["attachedPolicies", "policies"],
    "managedpolicyarns": ["attachedPolicies"],
    "maxsessionduration": ["maximumSessionDuration"],
    "mfadevices": ["devices"],
    "oidcproviders": ["openIDConnectProviders", "oidcProviders"],
    "people": ["users"],
    "permissionsboundary": ["boundary"],
    "persons": ["people", "users"],
    "policydocument": ["document", "policy"],
    "providers": ["identityProviders"],
    "redirecturls": ["redirectURIs"],
    "samlidentityproviders": ["samlProviders"],
    "secretaccesskey": ["secret"],
    "sub": ["subject"],
    "userid": ["id", "subject"],
    "username": ["name"],
    "users": ["people"],
]

/// Returns the key that a common alternative name most likely means, if it is one of the known keys.
func otherName(of key: String, among known: [String]) -> String? {
    let letters = key.utf8.count <= longestWord ? key.lowercased().filter { $0 != "_" && $0 != "-" } : ""
    return otherNames[letters]?.first { known.contains($0) && $0 != key }
}

/// Returns the word that a misspelled one most likely means; `nil` if none is similar.
package func nearestWord(to word: String, among words: [String]) -> String? {
    guard word.utf8.count <= longestWord, word.count >= 3 else { return nil }
    let farthest = max(1, word.count / 3)
    let near = words.filter { $0 != word && $0.utf8.count <= longestWord && abs($0.count - word.count) <= farthest }
    guard near.count * word.count <= mostLetters else { return nil }
    let distances = near.map { ($0, editDistance(word.lowercased(), $0.lowercased())) }
    guard let nearest = distances.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }), nearest.1 <= farthest else { return nil }
    return nearest.0
}

/// Returns the number of letters to insert, remove, replace or swap with their neighbor.
private func editDistance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var rows = [Array(0...second.count)]
    for i in 1...first.count {
        var row = [i]
        for j in 1...second.count {
            var distance = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1))
            if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
                distance = min(distance, rows[i - 2][j - 2] + 1)
            }
            row.append(distance)
        }
        rows.append(row)
    }
    return rows[first.count][second.count]
}
