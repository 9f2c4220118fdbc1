import Directory
package import WireFormats

extension ServiceProvider {
    /// Reads a service provider from an administrator's request: its metadata, or an object as in seeds.
    /// - Parameter now: the time that the metadata's `validUntil` is compared with.
    /// - Throws: `SeedError` with an empty file name.
    package init(reading text: [UInt8], now: Timestamp) throws(SeedError) {
        let isXML = text.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "<")
        do {
            if isXML {
                guard let document = String(validating: text, as: UTF8.self) else {
                    throw SeedError(file: "", place: "", expected: "metadata in UTF-8")
                }
                self = try ServiceProviderMetadata(document, now: now).serviceProvider
                guard !canNeverSign else {
                    throw SeedError(
                        file: "", place: "AuthnRequestsSigned", expected: "false, or a KeyDescriptor for signing with a certificate")
                }
            } else {
                self = try Self.record.read(text)
            }
        } catch let error as SeedError {
            throw error
        } catch let error as ServiceProviderMetadata.Fault {
            throw SeedError(file: "", place: "", expected: error.description)
        } catch {
            throw SeedError(file: "", place: "", expected: "metadata in XML, or an object in JSON5")
        }
    }
}
