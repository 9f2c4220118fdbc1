import WireFormats

extension WebIdentityCourse {
    func programs(of page: WalkPage) -> [WalkProgram] {
        let order = page.walk.order
        guard let token = page.walk.token?.text, !order.roleARN.isEmpty else { return [] }
        var parameters = [("RoleArn", order.roleARN), ("RoleSessionName", order.sessionName)]
        if !order.providerID.isEmpty { parameters.append(("ProviderId", order.providerID)) }
        return FilePrograms(page: page).assuming(Self.operation, parameters + [("WebIdentityToken", token)])
    }
}
