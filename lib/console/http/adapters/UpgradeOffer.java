import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Java's own client as it comes: with the first request over http it offers `Upgrade: h2c`. */
public class UpgradeOffer {
  public static void main(String[] args) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    for (String method : new String[] {"GET", "PUT", "GET"}) {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(args[0]));
      if (method.equals("PUT")) request.PUT(BodyPublishers.ofString("{\"ttlSeconds\":60}"));
      var answer = client.send(request.build(), BodyHandlers.ofString());
      System.out.println(answer.version() + " " + answer.statusCode() + " " + answer.body());
    }
  }
}
