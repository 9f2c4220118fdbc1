package import Cloud
package import Seeds

/// Runs `body` with a sandbox that has a seed's content, and closes it afterwards.
/// - Parameter keys: the keys of its template; `nil` for keys of its own.
package func withSandbox<T>(
    _ seed: String = "{}", folder: String? = nil, keys: TemplateKeys? = .ofTests, _ body: (Cloud) async throws -> T
) async throws -> T {
    let cloud = try await Cloud.openForTest(folder: folder, seeds: [try decodeSeed(seed)], keys: keys)
    do {
        let value = try await body(cloud)
        await cloud.close()
        return value
    } catch {
        await cloud.close()
        throw error
    }
}

package func decodeSeed(_ text: String, name: String = "test.json5") throws -> Seed {
    try SeedFile(name: name, text: Array(text.utf8)).decode()
}
