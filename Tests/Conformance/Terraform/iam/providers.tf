resource "aws_iam_openid_connect_provider" "company" {
  url             = "https://login.company.example/realms/crew"
  client_id_list  = local.first ? ["deck", "hold"] : ["hold", "galley"]
  thumbprint_list = local.first ? ["cf23df2207d99a74fbe169e3eba035e633b65d94"] : ["990f4193972f2becf12ddeda5237f9c952f20d9e", "cf23df2207d99a74fbe169e3eba035e633b65d94"]
  tags            = local.tags
}

# The service computes the thumbprint itself if none is given.
resource "aws_iam_openid_connect_provider" "bare" {
  url            = "https://bare.company.example"
  client_id_list = ["sts.amazonaws.com"]
}

resource "aws_iam_saml_provider" "company" {
  name                   = "fleet"
  saml_metadata_document = file("${path.module}/documents/saml-${var.step}.xml")
  tags                   = local.tags
}

resource "aws_iam_server_certificate" "single" {
  name             = "boats"
  path             = "/cloudfront/"
  certificate_body = file("${path.module}/documents/server.pem")
  private_key      = file("${path.module}/documents/server.key")
  tags             = local.tags

  # The service never returns it, so it is unknown after an import.
  lifecycle {
    ignore_changes = [private_key]
  }
}

resource "aws_iam_server_certificate" "chained" {
  name_prefix       = "chained-"
  certificate_body  = file("${path.module}/documents/chained.pem")
  certificate_chain = file("${path.module}/documents/ca.pem")
  private_key       = file("${path.module}/documents/chained.key")
}
