<?php
// The application: who is logged in, as JSON. `login` has the parameters of the login, `leave` ends the session.

require_once('/usr/share/simplesamlphp/lib/_autoload.php');

$user = new SimpleSAML\Auth\Simple('application');
if (isset($_GET['leave'])) {
    $user->logout($_GET['leave']);
}
$login = isset($_GET['login']) ? json_decode($_GET['login'], true) : [];
if (!$user->isAuthenticated() || $login) {
    $user->login($login + ['ReturnTo' => SimpleSAML\Utils\HTTP::getSelfURLNoQuery(), 'KeepPost' => false]);
}
$name = $user->getAuthData('saml:sp:NameID');
header('Content-Type: application/json');
echo json_encode([
    'name' => $name->getValue(),
    'format' => $name->getFormat(),
    'session' => $user->getAuthData('saml:sp:SessionIndex'),
    'context' => $user->getAuthData('saml:sp:AuthnContext'),
    'provider' => $user->getAuthData('saml:sp:IdP'),
    'attributes' => $user->getAttributes(),
]);
