# The provider tags a user by its new name before it renames it, so one that is renamed keeps its tags.
resource "aws_iam_user" "sailor" {
  name                 = local.first ? "sailor" : "old-sailor"
  path                 = local.first ? "/crew/" : "/crew/retired/"
  permissions_boundary = local.first ? aws_iam_policy.boundary.arn : "arn:aws:iam::aws:policy/ReadOnlyAccess"
  tags                 = { Deck = "upper" }
}

resource "aws_iam_user" "mate" {
  name                 = "mate"
  force_destroy        = true
  permissions_boundary = local.first ? null : aws_iam_policy.boundary.arn
  tags                 = local.tags
}

resource "aws_iam_user" "cook" {
  name = "cook"
}

resource "aws_iam_access_key" "sailor" {
  user   = aws_iam_user.mate.name
  status = local.first ? "Active" : "Inactive"
}

resource "aws_iam_user_login_profile" "mate" {
  user                    = aws_iam_user.mate.name
  password_length         = 24
  password_reset_required = true

  # Arguments of the creation only are unknown after an import.
  lifecycle {
    ignore_changes = [password_length, password_reset_required]
  }
}

resource "aws_iam_user_ssh_key" "ssh" {
  username   = aws_iam_user.mate.name
  encoding   = "SSH"
  public_key = trimspace(file("${path.module}/documents/crew.pub"))
  status     = local.first ? "Active" : "Inactive"
}

resource "aws_iam_user_ssh_key" "pem" {
  username   = aws_iam_user.sailor.name
  encoding   = "PEM"
  public_key = file("${path.module}/documents/crew.pem")
}

resource "aws_iam_signing_certificate" "mate" {
  user_name        = aws_iam_user.mate.name
  certificate_body = file("${path.module}/documents/signing.pem")
  status           = local.first ? "Active" : "Inactive"
}

resource "aws_iam_service_specific_credential" "git" {
  service_name = "codecommit.amazonaws.com"
  user_name    = aws_iam_user.mate.name
  status       = local.first ? "Active" : "Inactive"
}

resource "aws_iam_service_specific_credential" "keyspaces" {
  service_name = "cassandra.amazonaws.com"
  user_name    = aws_iam_user.mate.name
}

resource "aws_iam_virtual_mfa_device" "watch" {
  virtual_mfa_device_name = "watch"
  path                    = "/devices/"
  tags                    = local.tags
}

resource "aws_iam_user_policy" "named" {
  name   = "read"
  user   = aws_iam_user.sailor.name
  policy = local.read
}

resource "aws_iam_user_policy" "prefixed" {
  name_prefix = "read-"
  user        = aws_iam_user.sailor.name
  policy      = local.read
}

resource "aws_iam_user_policy_attachment" "managed" {
  user       = aws_iam_user.sailor.name
  policy_arn = aws_iam_policy.read.arn
}

resource "aws_iam_user_policies_exclusive" "mate" {
  user_name    = aws_iam_user.mate.name
  policy_names = [aws_iam_user_policy.mate_one.name, aws_iam_user_policy.mate_two.name]
}

resource "aws_iam_user_policy" "mate_one" {
  name   = "one"
  user   = aws_iam_user.mate.name
  policy = local.read
}

resource "aws_iam_user_policy" "mate_two" {
  name   = "two"
  user   = aws_iam_user.mate.name
  policy = local.read
}

resource "aws_iam_user_policy_attachments_exclusive" "mate" {
  user_name   = aws_iam_user.mate.name
  policy_arns = local.first ? [] : ["arn:aws:iam::aws:policy/IAMReadOnlyAccess"]
}

resource "aws_iam_group" "crew" {
  name = local.first ? "crew" : "company"
  path = local.first ? "/" : "/ships/"
}

resource "aws_iam_group" "watch" {
  name = "watch"
}

resource "aws_iam_group" "shared" {
  name = "shared"
}

resource "aws_iam_group_membership" "crew" {
  name  = "crew"
  group = aws_iam_group.crew.name
  users = local.first ? [aws_iam_user.sailor.name, aws_iam_user.mate.name] : [aws_iam_user.mate.name]
}

resource "aws_iam_user_group_membership" "watch" {
  user   = aws_iam_user.sailor.name
  groups = [aws_iam_group.watch.name]
}

resource "aws_iam_group_policy" "read" {
  name   = "read"
  group  = aws_iam_group.crew.name
  policy = local.read
}

resource "aws_iam_group_policies_exclusive" "crew" {
  group_name   = aws_iam_group.crew.name
  policy_names = [aws_iam_group_policy.read.name]
}

resource "aws_iam_group_policy_attachment" "view" {
  group      = aws_iam_group.watch.name
  policy_arn = "arn:aws:iam::aws:policy/job-function/ViewOnlyAccess"
}

# Another resource attaches its policies, since this one detaches nothing when it is destroyed.
resource "aws_iam_group_policy_attachment" "read" {
  count      = local.first ? 0 : 1
  group      = aws_iam_group.watch.name
  policy_arn = aws_iam_policy.read.arn
}

resource "aws_iam_group_policy_attachments_exclusive" "watch" {
  group_name  = aws_iam_group.watch.name
  policy_arns = local.first ? [aws_iam_group_policy_attachment.view.policy_arn] : [aws_iam_group_policy_attachment.view.policy_arn, aws_iam_group_policy_attachment.read[0].policy_arn]
}
