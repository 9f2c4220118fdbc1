package import HTTPTypes
import WireFormats

// Each request looks up about twenty-five headers, most of which are absent.
extension HTTPFields {
    /// Returns the value of a header; several values are joined.
    /// The result equals `self[name]`, but is faster for an absent header and for one with one value.
    package func value(of name: HTTPField.Name) -> String? {
        guard let index = firstIndex(named: name) else { return nil }
        return firstIndex(named: name, from: index + 1) == nil ? self[index].value : self[name]
    }

    /// Returns whether there is a header with this name. The result equals `contains(name)`, but is faster.
    package func has(_ name: HTTPField.Name) -> Bool { firstIndex(named: name) != nil }

    /// Returns the index of the first header with this name that is not before `start`.
    package func firstIndex(named name: HTTPField.Name, from start: Int = 0) -> Int? {
        let sought = name.canonicalName
        var index = start
        while index < endIndex {
            // Most names have another length.
            if self[index].name.canonicalName.utf8.count == sought.utf8.count, self[index].name.canonicalName.equals(sought) {
                return index
            }
            index += 1
        }
        return nil
    }
}
