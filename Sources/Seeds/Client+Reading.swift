import Directory

extension Client {
    /// Reads a client from an administrator's request: an object as in seeds.
    /// - Throws: `SeedError` with an empty file name.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedClient(part: text).client }
}
