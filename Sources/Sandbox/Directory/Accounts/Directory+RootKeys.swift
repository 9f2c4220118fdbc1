package import Policy
import WireFormats

extension Directory {
    /// Returns the first root access key of the first account of a vendor that has one, in the order of account numbers.
    package func rootKey(of vendor: Vendor) -> AccessKey? {
        accounts.values.filter { Vendor(account: $0.id) == vendor }.sorted { $0.id < $1.id }.lazy.compactMap(\.rootKeys.first).first
    }
}
