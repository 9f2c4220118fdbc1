import Directory

extension Client {
    /// Reads a client as an administrator hands it over: an object as in seeds.
    /// - Throws: `SeedError`, whose file is the empty name.
    package init(reading text: [UInt8]) throws(SeedError) { self = try SeedClient(part: text).client }
}
