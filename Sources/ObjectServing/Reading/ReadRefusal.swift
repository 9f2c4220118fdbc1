package import ObjectStore
package import WireFormats

/// The reasons for which an object is not read. Each door has its own words for each.
package enum ReadRefusal: Error {
    /// The key, or the version, leads to nothing.
    case missing
    /// The key, or the version, leads to a delete marker.
    case deleteMarker(ObjectVersion, modified: Timestamp)
    /// The object is encrypted with a customer key (SSE-C), and the door has no way to present one.
    case customerKey
    /// The object is in an archive class and has no restored copy.
    case archived(StorageClass)
    /// A condition of the request does not hold; the name of its header.
    case conditionFailed(String)
    /// The part number is not an integer between 1 and 10,000; the text as it came.
    case invalidPartNumber(String)
    /// The object has no such part; the text as it came, and the number of parts that the object has.
    case missingPart(String, partCount: Int)
    /// The request has a range and a part number.
    case rangeOfPart
    /// The range selects nothing of the object; the header as it came, and the object's size.
    case unsatisfiableRange(String, size: Int64)
    /// The store failed.
    case store(ObjectStoreError)
}
