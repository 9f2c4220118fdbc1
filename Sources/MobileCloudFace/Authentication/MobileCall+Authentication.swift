extension MobileCall {
    /// Who makes the call, by whichever of the methods it presents.
    /// - Throws: ``MobileError`` where nobody has proved anything.
    func authenticate() async throws -> MobileCaller {
        throw MobileError(.notAuthenticated, "The call carries no credentials.")
    }
}
